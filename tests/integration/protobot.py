"""A bot from the .proto alone: generated code and grpc, nothing of the arena's.

``python tests/integration/protobot.py [--key TEXT] [--declare]`` listens on a free loopback port
and prints it. It knows no rules beyond what each decision says: it knocks when it may, takes the
upcard only as the last discard of a round, and throws the first card that it may throw.
"""

import argparse
import hashlib
import hmac
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import grpc
from ginarena.v1 import bot_pb2, bot_pb2_grpc


class ProtoBot(bot_pb2_grpc.BotServiceServicer):
    """The service; it remembers nothing."""

    def __init__(self, key: bytes, *, declares: bool) -> None:
        self.key = key
        self.declares = declares

    def GetBotInfo(  # noqa: N802 - the service's own name
        self, request: bot_pb2.GetBotInfoRequest, context: object
    ) -> bot_pb2.GetBotInfoResponse:
        return bot_pb2.GetBotInfoResponse(
            name="protobot",
            version="1",
            proof=hmac.new(self.key, request.nonce, hashlib.sha256).digest(),
            rule_sets=["classic", "modern"],
            max_tables=128,
            declares=self.declares,
        )

    def Play(  # noqa: N802 - the service's own name
        self, request_iterator: object, context: object
    ) -> Iterator[bot_pb2.PlayResponse]:
        for request in cast("Iterator[bot_pb2.PlayRequest]", request_iterator):
            answers = [decide(decision) for decision in request.decisions.decisions]
            yield bot_pb2.PlayResponse(answers=bot_pb2.AnswerBatch(answers=answers))


def decide(decision: bot_pb2.Decision) -> bot_pb2.Answer:
    """Answer one decision from its own fields."""
    answer = bot_pb2.Answer(decision_id=decision.id)
    if decision.can_show:
        answer.kind = bot_pb2.ACTION_KIND_SHOW
    elif decision.can_big_gin:
        answer.kind = bot_pb2.ACTION_KIND_BIG_GIN
    elif decision.legal_knocks:
        answer.kind = bot_pb2.ACTION_KIND_KNOCK
        answer.card = decision.legal_knocks[:2]
    elif decision.legal_discards:
        answer.kind = bot_pb2.ACTION_KIND_DISCARD
        answer.card = decision.legal_discards[-2:]
    elif decision.can_draw_stock:
        answer.kind = bot_pb2.ACTION_KIND_STOCK
    elif decision.can_take and decision.phase == bot_pb2.PHASE_LAST_DISCARD:
        answer.kind = bot_pb2.ACTION_KIND_TAKE
    else:
        answer.kind = bot_pb2.ACTION_KIND_PASS
    return answer


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key", default="")
    parser.add_argument("--declare", action="store_true")
    arguments = parser.parse_args()
    server = grpc.server(ThreadPoolExecutor(4))
    bot = ProtoBot(arguments.key.encode(), declares=arguments.declare)
    bot_pb2_grpc.add_BotServiceServicer_to_server(bot, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)  # noqa: T201 - how its starter learns the port
    server.wait_for_termination()


if __name__ == "__main__":
    main()
