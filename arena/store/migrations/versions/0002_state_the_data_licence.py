"""State the licence of each league's data."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    licence = sa.Column("licence", sa.String(length=64), nullable=False, server_default="CC-BY-4.0")
    op.add_column("league", licence)


def downgrade() -> None:
    """Change it back."""
    op.drop_column("league", "licence")
