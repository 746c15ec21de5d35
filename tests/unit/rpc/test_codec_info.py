"""`GetBotInfo` on the wire."""

import pytest
from ginarena.v1 import bot_pb2 as pb

from arena.engine.errors import InvalidNotationError
from arena.referee.player import BotInfo
from arena.rpc.codec import decode_info, encode_info


def test_info_comes_back_equal() -> None:
    info = BotInfo("Ünïcode bot", "2.1-rc", ("classic", "captain"), 64, True, True, True)
    message = encode_info(info, b"proof")
    assert decode_info(message) == info
    assert message.proof == b"proof"


def test_zero_tables_count_as_one() -> None:
    assert decode_info(pb.GetBotInfoResponse(name="a", version="1")).max_tables == 1


@pytest.mark.parametrize(
    ("name", "version", "words"),
    [
        ("", "1", "the name is ''"),
        (" \t", "1", "the name is"),
        ("a\nb", "1", "the name is 'a\\nb'"),
        ("\u202egnp", "1", "the name is '\\u202egnp'"),
        ("x" * 65, "1", "1 to 64 printable"),
        ("a", "", "the version is ''"),
        ("a", "\x00", "the version is '\\x00'"),
    ],
)
def test_names_that_cannot_be_shown_are_refused(name: str, version: str, words: str) -> None:
    with pytest.raises(InvalidNotationError) as caught:
        decode_info(pb.GetBotInfoResponse(name=name, version=version))
    assert words in str(caught.value)


def test_negative_tables_and_unprintable_rule_sets_are_refused() -> None:
    with pytest.raises(InvalidNotationError, match="max_tables is -1"):
        decode_info(pb.GetBotInfoResponse(name="a", version="1", max_tables=-1))
    with pytest.raises(InvalidNotationError, match="the rule set is"):
        decode_info(pb.GetBotInfoResponse(name="a", version="1", rule_sets=["classic", "\x07"]))
