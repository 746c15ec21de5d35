"""The dashboard: pages and a read-only API over the store; ``python -m dashboard`` serves it."""
