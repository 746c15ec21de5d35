"""Keep the form in which names of bots are compared, so that no two look alike."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_LONGEST = 64
_bot = sa.table(
    "bot",
    sa.column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite")),
    sa.column("name", sa.String),
    sa.column("canonical", sa.String),
)


def upgrade() -> None:
    """Change the schema; of bots whose names are alike already, all but the oldest get a number."""
    op.add_column(
        "bot", sa.Column("canonical", sa.String(_LONGEST), nullable=False, server_default="")
    )
    bind, taken = op.get_bind(), set[str]()
    for key, name in bind.execute(sa.select(_bot.c.id, _bot.c.name).order_by(_bot.c.id)).all():
        form = _canonical(name)
        if form in taken or len(form) > _LONGEST:
            number = f" #{key}"
            form = form[: _LONGEST - len(number)] + number
        taken.add(form)
        bind.execute(sa.update(_bot).where(_bot.c.id == key).values(canonical=form))
    op.create_index("ix_bot_canonical", "bot", ["canonical"], unique=True)


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_bot_canonical", "bot")
    op.drop_column("bot", "canonical")


def _canonical(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
