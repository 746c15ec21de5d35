import sys
from pathlib import Path

import pytest

from arena.sdk import Bot, BotLoadError, load_bot
from arena.sdk.load import REFERENCE_BOTS

ONE_BOT = """
from arena.sdk import Action, Bot, Observation

class Mine(Bot):
    def act(self, observation: Observation) -> Action:
        return observation.legal[0]
"""


@pytest.fixture(autouse=True)
def _same_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path.copy())


def write(folder: Path, text: str, name: str = "mine.py") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", REFERENCE_BOTS)
def test_a_reference_bot_is_found_by_its_name(name: str) -> None:
    bot = load_bot(name)
    assert bot.info().name == name
    assert bot.info().version == "1"


def test_a_file_with_one_bot_needs_no_class_name(tmp_path: Path) -> None:
    assert load_bot(write(tmp_path, ONE_BOT)).info().name == "mine"


def test_a_class_of_a_module_is_found() -> None:
    assert load_bot("arena.sdk.bots.greedy:Greedy").info().name == "greedy"


def test_a_module_of_the_working_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, ONE_BOT, "module_of_the_folder.py")
    monkeypatch.chdir(tmp_path)
    assert load_bot("module_of_the_folder:Mine").info().name == "mine"


def test_a_file_may_name_its_class(tmp_path: Path) -> None:
    two = ONE_BOT + ONE_BOT.replace("Mine", "Other")
    assert load_bot(write(tmp_path, two) + ":Other").info().name == "other"


def test_a_base_class_beside_its_bot_is_no_second_bot(tmp_path: Path) -> None:
    text = ONE_BOT + "\n\nclass Better(Mine):\n    name = 'better'\n\nAlias = Better\n"
    assert load_bot(write(tmp_path, text)).info().name == "better"


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "FIRST = 0\n", "beside_mine.py")
    text = "from beside_mine import FIRST\n" + ONE_BOT.replace("[0]", "[FIRST]")
    assert load_bot(write(tmp_path, text)).info().name == "mine"


BAD_FILES = {
    "no bot": ("x = 1\n", "mine.py has no class that subclasses arena.sdk.Bot"),
    "imported bot": (
        "from arena.sdk.bots.simple import Simple\n",
        "mine.py has no class that subclasses arena.sdk.Bot",
    ),
    "two bots": (
        ONE_BOT + ONE_BOT.replace("Mine", "Other"),
        "mine.py has several bots, Mine, Other; name one: mine.py:Mine",
    ),
    "import error": ("\nimport no_such_thing\n", "line 2 of mine.py: ModuleNotFoundError"),
    "syntax error": ("a = 1\nb = = 2\n", "line 2: SyntaxError"),
    "raises": ("\n\n1 / 0\n", "line 3 of mine.py: ZeroDivisionError"),
    "exits": ("import sys\nsys.exit(3)\n", "line 2 of mine.py: SystemExit: 3"),
    "no act": ("from arena.sdk import Bot\nclass Mine(Bot):\n    pass\n", "Mine has no method act"),
    "constructor": (
        ONE_BOT + "    def __init__(self) -> None:\n        raise OSError('no model')\n",
        "Mine() failed: line 8 of mine.py: OSError: no model",
    ),
    "serves when imported": (
        ONE_BOT + "from arena.sdk import serve\nserve(Mine())\n",
        'put serve(…) under if __name__ == "__main__":',
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_bot_says_why_and_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BotLoadError) as caught:
        load_bot(write(tmp_path, text))
    assert message in str(caught.value)


BAD_SPECS = {
    "nosuch": "no bot 'nosuch': give one of random, simple, greedy, patient, a file.py or",
    "nosuch.py": "nosuch.py: there is no such file",
    "nosuch.py:Mine": "nosuch.py: there is no such file",
    "no_such_module:Bot": "module no_such_module: ModuleNotFoundError",
    "arena.sdk.bots.simple:Nobody": "simple.py has no class Nobody",
    "arena.sdk.bots.simple:highest": "highest is not a subclass of arena.sdk.Bot",
    "": "no bot ''",
}


@pytest.mark.parametrize(("spec", "message"), BAD_SPECS.items(), ids=list(BAD_SPECS))
def test_a_spec_that_leads_nowhere_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(BotLoadError) as caught:
        load_bot(spec)
    assert message in str(caught.value)


def test_each_call_makes_a_new_bot() -> None:
    first, second = load_bot("simple"), load_bot("simple")
    assert isinstance(first, Bot)
    assert first is not second
