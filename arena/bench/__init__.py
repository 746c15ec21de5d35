"""Benchmarks: figures of the engine, the bots and the wire, beside a reference in the same run."""
