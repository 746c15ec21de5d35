"""Find a bot by its spec: a reference bot's name, a file, or a class in a module."""

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Final

from arena.engine.errors import GinArenaError
from arena.sdk.bot import Bot

REFERENCE_BOTS: Final[dict[str, str]] = {
    "random": "arena.sdk.bots.random:Random",
    "simple": "arena.sdk.bots.simple:Simple",
    "greedy": "arena.sdk.bots.greedy:Greedy",
    "patient": "arena.sdk.bots.patient:Patient",
}
"""Where each reference bot lives, weakest first."""

LOADING: Final[ContextVar[str]] = ContextVar("LOADING", default="")
"""The file being loaded, empty outside `load_bot`: a file that serves when imported is refused."""


class BotLoadError(GinArenaError):
    """A spec that leads to no bot; the message says why and what would be right."""


def load_bot(spec: str) -> Bot:
    """Return a new bot by its spec.

    Args:
        spec: the name of a reference bot, ``"greedy"``; a Python file with one subclass of `Bot`,
            ``"mybot.py"``, or with the one to take, ``"mybot.py:MyBot"``; or ``"module:Class"``.

    Raises:
        BotLoadError: nothing is there, it does not import, or it holds no bot or several.
    """
    spec = REFERENCE_BOTS.get(spec, spec)
    place, class_name = (spec, "") if spec.endswith(".py") else _split(spec)
    if place.endswith(".py"):
        module = _import_file(Path(place))
    elif class_name:
        module = _import_module(place)
    else:
        raise BotLoadError(
            f"no bot {spec!r}: give one of {', '.join(REFERENCE_BOTS)}, a file.py or module:Class"
        )
    return _create(_named(module, class_name) if class_name else _only_bot(module))


def _split(spec: str) -> tuple[str, str]:
    place, colon, class_name = spec.rpartition(":")
    return (place, class_name) if colon else (spec, "")


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BotLoadError(f"{path}: there is no such file")
    name = f"ginarena_bot_{path.stem}"
    module_spec = importlib.util.spec_from_file_location(name, path.resolve())
    if module_spec is None or module_spec.loader is None:
        raise BotLoadError(f"{path}: Python cannot import it")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    _search(path.parent)
    token = LOADING.set(str(path))
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise BotLoadError(f"{path}: {_what_and_where(error)}") from error
    finally:
        LOADING.reset(token)
    return module


def _import_module(name: str) -> ModuleType:
    _search(Path())
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise BotLoadError(f"module {name}: {_what_and_where(error)}") from error


def _search(folder: Path) -> None:
    """Let imports find what lies in the folder, as they do for a script that is run there."""
    name = os.fspath(folder.resolve())
    if name not in sys.path:
        sys.path.insert(0, name)


def _what_and_where(error: BaseException) -> str:
    """Return an import error with the line it came from."""
    what = traceback.format_exception_only(error)[-1].strip()
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {what}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "importlib" not in f.filename]
    frames = [frame for frame in frames if frame.filename != __file__]
    return (
        f"line {frames[-1].lineno} of {Path(frames[-1].filename).name}: {what}" if frames else what
    )


def _named(module: ModuleType, class_name: str) -> type[Bot]:
    found = getattr(module, class_name, None)
    if found is None:
        raise BotLoadError(f"{_place(module)} has no class {class_name}")
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        raise BotLoadError(f"{_place(module)}: {class_name} is not a subclass of arena.sdk.Bot")
    return found


def _only_bot(module: ModuleType) -> type[Bot]:
    """Return the one bot class defined in the module; a base of another one does not count."""
    bots = [
        value
        for value in dict.fromkeys(filter(inspect.isclass, vars(module).values()))
        if issubclass(value, Bot) and value.__module__ == module.__name__
    ]
    bots = [bot for bot in bots if not any(bot in other.__mro__[1:] for other in bots)]
    if not bots:
        raise BotLoadError(f"{_place(module)} has no class that subclasses arena.sdk.Bot")
    if len(bots) > 1:
        names = [bot.__name__ for bot in bots]
        raise BotLoadError(
            f"{_place(module)} has several bots, {', '.join(names)}; "
            f"name one: {_place(module)}:{names[0]}"
        )
    return bots[0]


def _create(bot_class: type[Bot]) -> Bot:
    if bot_class.act is Bot.act and bot_class.act_batch is Bot.act_batch:
        raise BotLoadError(f"{bot_class.__name__} has no method act(self, observation)")
    try:
        return bot_class()
    except Exception as error:
        raise BotLoadError(f"{bot_class.__name__}() failed: {_what_and_where(error)}") from error


def _place(module: ModuleType) -> str:
    return Path(module.__file__).name if module.__file__ else module.__name__
