"""The directions of imports, and what the base package may need."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

LOADED_BY_ENGINE = """
import pkgutil, sys, importlib
import arena.engine
for module in pkgutil.iter_modules(arena.engine.__path__, "arena.engine."):
    importlib.import_module(module.name)
names = {name.partition(".")[0] for name, module in sys.modules.items() if module is not None}
print(*sorted(names - set(sys.stdlib_module_names) - {"__main__", "arena"}))
"""


def test_imports_go_down_only() -> None:
    """The contracts of pyproject.toml hold, over every module of the project."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_engine_loads_the_standard_library_only() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", LOADED_BY_ENGINE],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == ([], "")


def test_the_base_package_needs_grpcio_and_protobuf_only() -> None:
    names = [re.match(r"[\w-]+", line) for line in PROJECT["project"]["dependencies"]]
    assert [name and name[0] for name in names] == ["grpcio", "protobuf"]


def test_every_package_has_a_layer() -> None:
    (layers,) = (
        contract["layers"]
        for contract in PROJECT["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    placed = {name for layer in layers for name in re.split(r"\s*\|\s*", layer)}
    packages = {f"arena.{path.parent.name}" for path in ROOT.glob("arena/*/__init__.py")}
    assert packages <= placed, f"without a layer: {sorted(packages - placed)}"
