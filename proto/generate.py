"""Regenerates the Python code of the wire contract: ``python proto/generate.py``.

It needs the `test` extra. ``--image`` also renews the stored descriptor image that later versions
are compared with; that is done at a release only.
"""

import argparse
import importlib.resources
import subprocess
import sysconfig
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]

PROTO = Path(__file__).resolve().parent
IMAGE = PROTO.parent / "tests" / "golden" / "proto" / "ginarena-v1.binpb"
_SCRIPTS = Path(sysconfig.get_path("scripts"))


def sources() -> list[str]:
    """Return the .proto files, relative to the folder ``proto``, sorted."""
    return sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("ginarena/**/*.proto"))


def generate(folder: Path) -> None:
    """Write the code of every .proto file below a folder.

    Raises:
        RuntimeError: the protocol buffer compiler failed; its own words are on stderr.
    """
    plugins = ("mypy", "mypy_grpc")
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={importlib.resources.files('grpc_tools') / '_proto'}",
            *(f"--plugin=protoc-gen-{name}={_SCRIPTS / f'protoc-gen-{name}'}" for name in plugins),
            *(f"--{name}_out={folder}" for name in ("python", "grpc_python", *plugins)),
            *sources(),
        ]
    )
    if status:
        raise RuntimeError(f"protoc ended with status {status}")


def main() -> None:
    """Regenerate in place."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", action="store_true", help="renew the stored image, at a release")
    arguments = parser.parse_args()
    generate(PROTO)
    if arguments.image:
        command = [str(_SCRIPTS / "buf"), "build", str(PROTO), "--exclude-source-info"]
        subprocess.run([*command, "-o", str(IMAGE)], check=True)  # noqa: S603 - our own tool


if __name__ == "__main__":
    main()
