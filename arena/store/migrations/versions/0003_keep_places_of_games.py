"""Keep places and duels of games, and counters of entries: leagues of three.

What is there already is of two players, so that it all follows from the facts kept before.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_CHUNK = 1000
_OPEN_ROUND = 35
"""Points by which the open round of a forfeited game counts as lost (R10.2)."""
_COUNTERS = ("games", "wins", "losses", "forfeits")
_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_game = sa.table(
    "game",
    sa.column("match_id", _KEY),
    sa.column("number", sa.Integer),
    sa.column("winner", sa.Integer),
    sa.column("rounds", sa.Integer),
    sa.column("open_round", sa.Boolean),
    sa.column("forfeiter", sa.Integer),
    sa.column("round_points", sa.JSON),
    sa.column("places", sa.JSON),
    sa.column("duels", sa.JSON),
)
_entry = sa.table("entry", sa.column("id", _KEY), *(sa.column(name) for name in _COUNTERS))
_pairing = sa.table(
    "pairing", sa.column("entry_id", _KEY), *(sa.column(name) for name in _COUNTERS)
)


def upgrade() -> None:
    """Change the schema."""
    for name in _COUNTERS:
        op.add_column("entry", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    _count_entries()
    for name in ("places", "duels"):
        op.add_column("game", sa.Column(name, sa.JSON(), nullable=True))
    _fill_games(_read_new)
    with op.batch_alter_table("game") as table:
        table.alter_column("places", existing_type=sa.JSON(), nullable=False)
        table.alter_column("duels", existing_type=sa.JSON(), nullable=False)
        table.drop_column("round_points")


def downgrade() -> None:
    """Change it back; points that both players won are kept as their difference."""
    op.add_column("game", sa.Column("round_points", sa.JSON(), nullable=True))
    _fill_games(_read_old)
    with op.batch_alter_table("game") as table:
        table.alter_column("round_points", existing_type=sa.JSON(), nullable=False)
        table.drop_column("duels")
        table.drop_column("places")
    for name in _COUNTERS:
        op.drop_column("entry", name)


def _count_entries() -> None:
    """Sum the counters of pairs, which of two players are those of the entries."""
    sums = {
        name: sa.select(sa.func.coalesce(sa.func.sum(_pairing.c[name]), 0))
        .where(_pairing.c.entry_id == _entry.c.id)
        .scalar_subquery()
        for name in _COUNTERS
    }
    op.get_bind().execute(sa.update(_entry).values(sums))


def _fill_games(read: Any) -> None:
    """Fill the new columns from the old, some games at a time."""
    bind, last = op.get_bind(), (0, -1)
    key = sa.tuple_(_game.c.match_id, _game.c.number)
    change = sa.update(_game).where(
        _game.c.match_id == sa.bindparam("match_key"), _game.c.number == sa.bindparam("index")
    )
    while True:
        rows = bind.execute(
            sa.select(_game).where(key > last).order_by(*key.clauses).limit(_CHUNK)
        ).all()
        if not rows:
            return
        values = [{"match_key": row.match_id, "index": row.number, **read(row)} for row in rows]
        columns: dict[str, Any] = {name: sa.bindparam(name) for name in read(rows[0])}
        bind.execute(change.values(columns), values)
        last = (rows[-1].match_id, rows[-1].number)


def _read_new(row: Any) -> dict[str, Any]:
    places = [1 if row.winner in (None, player) else 2 for player in (0, 1)]
    margin = row.round_points[0] - row.round_points[1]
    if row.open_round:
        margin += -_OPEN_ROUND if row.forfeiter == 0 else _OPEN_ROUND
    return {"places": places, "duels": [[row.rounds + row.open_round, margin]]}


def _read_old(row: Any) -> dict[str, Any]:
    ((_, margin),) = row.duels
    if row.open_round:
        margin -= -_OPEN_ROUND if row.forfeiter == 0 else _OPEN_ROUND
    return {"round_points": [max(margin, 0), max(-margin, 0)]}
