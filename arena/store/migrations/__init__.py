"""Alembic migrations, packaged so that an installed arena can upgrade its database."""
