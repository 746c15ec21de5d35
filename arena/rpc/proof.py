"""The proof of ownership of a bot's address."""

import hashlib
import hmac


def proof(key: bytes, nonce: bytes) -> bytes:
    """Return what a bot answers to a nonce: its HMAC-SHA256 under the registered key."""
    return hmac.new(key, nonce, hashlib.sha256).digest()
