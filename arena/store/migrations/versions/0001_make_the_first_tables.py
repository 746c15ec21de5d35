"""Make the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_TABLES = (
    "bot",
    "bot_version",
    "worker",
    "league",
    "entry",
    "pairing",
    "match",
    "match_player",
    "game",
    "void",
    "checkpoint",
    "match_log",
)


def upgrade() -> None:
    """Change the schema."""
    _make_bots()
    _make_leagues()
    _make_entries()
    _make_matches()
    _make_results()


def downgrade() -> None:
    """Change it back."""
    for name in reversed(_TABLES):
        op.drop_table(name)


def _make_bots() -> None:
    op.create_table(
        "bot",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bot"),
        sa.UniqueConstraint("name", name="uq_bot_name"),
        sa.UniqueConstraint("public_id", name="uq_bot_public_id"),
    )
    op.create_table(
        "bot_version",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("bot_id", _KEY, nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("info", sa.JSON(), nullable=False),
        sa.Column("absent_until_us", sa.BigInteger(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name="fk_bot_version_bot_id"),
        sa.PrimaryKeyConstraint("id", name="pk_bot_version"),
        sa.UniqueConstraint("bot_id", "version", name="uq_bot_version_bot_id_version"),
        sa.UniqueConstraint("public_id", name="uq_bot_version_public_id"),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("processes", sa.Integer(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_worker"),
    )


def _make_leagues() -> None:
    op.create_table(
        "league",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=True),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("preset", sa.String(length=32), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(length=16), nullable=False),
        sa.Column("legs", sa.Integer(), nullable=False),
        sa.Column("boards", sa.String(length=16), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("time_control", sa.JSON(), nullable=False),
        sa.Column("organiser_seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("master_seed", sa.LargeBinary(), nullable=True),
        sa.Column("deadline_us", sa.BigInteger(), nullable=False),
        sa.Column("matches_total", sa.Integer(), nullable=False),
        sa.Column("matches_written", sa.Integer(), nullable=False),
        sa.Column("matches_ended", sa.Integer(), nullable=False),
        sa.Column("games_done", sa.Integer(), nullable=False),
        sa.Column("rounds_done", sa.Integer(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=True),
        sa.Column("finished_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_league"),
        sa.UniqueConstraint("public_id", name="uq_league_public_id"),
        sa.UniqueConstraint("slug", name="uq_league_slug"),
    )
    op.create_index("ix_league_state", "league", ["state"])


def _make_entries() -> None:
    op.create_table(
        "entry",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("league_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot_version_id", _KEY, nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("withdrawn_us", sa.BigInteger(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_version_id"], ["bot_version.id"], name="fk_entry_bot_version_id"
        ),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_entry_league_id"),
        sa.PrimaryKeyConstraint("id", name="pk_entry"),
        sa.UniqueConstraint(
            "league_id", "bot_version_id", name="uq_entry_league_id_bot_version_id"
        ),
        sa.UniqueConstraint("league_id", "number", name="uq_entry_league_id_number"),
        sa.UniqueConstraint("public_id", name="uq_entry_public_id"),
    )
    op.create_index("ix_entry_bot_version_id", "entry", ["bot_version_id"])
    op.create_table(
        "pairing",
        sa.Column("entry_id", _KEY, nullable=False),
        sa.Column("opponent_id", _KEY, nullable=False),
        sa.Column("league_id", _KEY, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name="fk_pairing_entry_id"),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_pairing_league_id"),
        sa.ForeignKeyConstraint(["opponent_id"], ["entry.id"], name="fk_pairing_opponent_id"),
        sa.PrimaryKeyConstraint("entry_id", "opponent_id", name="pk_pairing"),
    )
    op.create_index("ix_pairing_league_id", "pairing", ["league_id"])


def _make_matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("league_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("cycle", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_token", sa.Integer(), nullable=False),
        sa.Column("lease_until_us", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=128), nullable=False),
        sa.Column("not_before_us", sa.BigInteger(), nullable=False),
        sa.Column("queued_us", sa.BigInteger(), nullable=False),
        sa.Column("early_ends", sa.Integer(), nullable=False),
        sa.Column("games_done", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=200), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=True),
        sa.Column("finished_us", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("attempt >= 0 AND lease_token >= 0", name="ck_match_counts"),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_match_league_id"),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.UniqueConstraint("league_id", "number", name="uq_match_league_id_number"),
        sa.UniqueConstraint("public_id", name="uq_match_public_id"),
    )
    op.create_index("ix_match_league_id_finished_us", "match", ["league_id", "finished_us"])
    op.create_index("ix_match_league_id_state_number", "match", ["league_id", "state", "number"])
    op.create_index("ix_match_state_lease_until_us", "match", ["state", "lease_until_us"])
    op.create_table(
        "match_player",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("entry_id", _KEY, nullable=False),
        sa.Column("bot_id", _KEY, nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("faults", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name="fk_match_player_bot_id"),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name="fk_match_player_entry_id"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_match_player_match_id"),
        sa.PrimaryKeyConstraint("match_id", "player", name="pk_match_player"),
    )
    op.create_index("ix_match_player_bot_id_match_id", "match_player", ["bot_id", "match_id"])
    op.create_index("ix_match_player_entry_id_match_id", "match_player", ["entry_id", "match_id"])


def _make_results() -> None:
    op.create_table(
        "game",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("board", sa.BigInteger(), nullable=False),
        sa.Column("seating", sa.JSON(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("round_points", sa.JSON(), nullable=False),
        sa.Column("open_round", sa.Boolean(), nullable=False),
        sa.Column("forfeiter", sa.Integer(), nullable=True),
        sa.Column("cause", sa.String(length=32), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_game_match_id"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_game"),
    )
    op.create_table(
        "void",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("board", sa.BigInteger(), nullable=False),
        sa.Column("cause", sa.String(length=200), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_void_match_id"),
        sa.PrimaryKeyConstraint("id", name="pk_void"),
    )
    op.create_index("ix_void_match_id", "void", ["match_id"])
    op.create_table(
        "checkpoint",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("board", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.Text(), nullable=True),
        sa.Column("times", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_checkpoint_match_id"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_checkpoint"),
    )
    op.create_table(
        "match_log",
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("times", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_match_log_match_id"),
        sa.PrimaryKeyConstraint("match_id", name="pk_match_log"),
    )
