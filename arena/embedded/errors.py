"""The error of the embedded arena."""


class StartError(Exception):
    """A part of the arena cannot start; the message is one line that says what to do."""
