"""`gin-arena bot`: serve a bot over gRPC, list the reference bots."""

import argparse

from arena.cli import OK, CommandError, SubParsers


def register(commands: SubParsers) -> None:
    """Add the group's commands."""
    group = commands.add_parser("bot", help="serve a bot, list the reference bots")
    actions = group.add_subparsers(metavar="ACTION", required=True)
    serve = actions.add_parser("serve", help="serve a bot over gRPC until Ctrl-C")
    serve.add_argument(
        "spec", metavar="SPEC", help="a reference bot, file.py, file.py:Class or module:Class"
    )
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    serve.add_argument(
        "--port", type=_port, default=0, help="port to listen on; 0 takes a free one (%(default)s)"
    )
    serve.set_defaults(handler=serve_bot)
    actions.add_parser("list", help="list the reference bots").set_defaults(handler=list_bots)


def serve_bot(arguments: argparse.Namespace) -> int:
    """Serve the bot until SIGTERM or Ctrl-C."""
    from arena.sdk import load_bot, serve

    try:
        serve(load_bot(arguments.spec), host=arguments.host, port=arguments.port)
    except OSError as error:
        raise CommandError(f"{error}; choose another with --host or --port") from error
    return OK


def list_bots(arguments: argparse.Namespace) -> int:
    """Print a line for each reference bot: name, version, what it does."""
    from arena.sdk.load import REFERENCE_BOTS, load_bot

    for name in REFERENCE_BOTS:
        bot = load_bot(name)
        summary = (type(bot).__doc__ or "").partition("\n")[0]
        print(f"{name:<8} {bot.version:<3} {summary}")
    return OK


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port <= 65_535:
        raise argparse.ArgumentTypeError(f"{text} is no port; a port is 0 to 65535")
    return port
