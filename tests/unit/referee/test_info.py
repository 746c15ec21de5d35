"""What a bot says that it plays (`rule_sets`)."""

import pytest

from arena.engine.rules import Rules
from arena.referee.player import BotInfo

CLASSIC, CAPTAIN = Rules(), Rules.preset("captain")
OWN, OWN_CAPTAIN = Rules(target=7), Rules.preset("captain", target=7)


@pytest.mark.parametrize(
    ("rule_sets", "rules", "expected"),
    [
        ((), CLASSIC, True),
        ((), OWN, True),
        ((), CAPTAIN, False),
        ((), OWN_CAPTAIN, False),
        (("classic",), CLASSIC, True),
        (("modern",), CLASSIC, False),
        (("modern",), OWN, True),
        (("captain",), CAPTAIN, True),
        (("captain",), OWN_CAPTAIN, True),
        (("captain",), OWN, False),
        (("classic", "tomorrow's"), CAPTAIN, False),
        (("tomorrow's",), OWN, False),
    ],
)
def test_a_preset_counts_by_its_name_and_own_rules_by_their_players(
    rule_sets: tuple[str, ...], rules: Rules, expected: bool
) -> None:
    assert BotInfo("a", "1", rule_sets).plays(rules) is expected
