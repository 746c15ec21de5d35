"""The application: wired here, once."""

from http import HTTPStatus
from typing import Final

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from arena.store.database import Store
from arena.store.queries import HiddenError
from dashboard import api, bots, home, leagues, matches
from dashboard.page import STORE, set_up_templates
from dashboard.security import protect

_MOST_BODY: Final = 64 * 1024
_HELP: Final = {
    404: "The address may be mistyped, or what it named was never here.",
    405: "This address answers to reading only.",
    500: "The fault is the arena's own and was logged. Nothing was changed; try again in a moment.",
}


def create_app(store: Store, *, trusted_hosts: list[str] | None = None) -> Flask:
    """Return the dashboard on an opened store.

    Args:
        store: the database to read.
        trusted_hosts: host names that requests may name; None allows any.
    """
    app = Flask("dashboard")
    app.config.update(
        MAX_CONTENT_LENGTH=_MOST_BODY,
        MAX_FORM_PARTS=50,
        TRUSTED_HOSTS=trusted_hosts,
        SEND_FILE_MAX_AGE_DEFAULT=365 * 86_400,
    )
    app.extensions[STORE] = store
    app.json.sort_keys = False  # type: ignore[attr-defined]
    set_up_templates(app)
    protect(app)
    for part in (home, leagues, bots, matches, api):
        app.register_blueprint(part.blueprint)
    app.register_error_handler(HTTPException, _answer_error)
    app.register_error_handler(SecurityError, _answer_foreign)
    app.register_error_handler(HiddenError, _answer_hidden)
    app.register_error_handler(Exception, _answer_crash)
    return app


def _answer_error(error: HTTPException) -> tuple[Response | str, int]:
    status = error.code or 500
    own = type(error).description
    detail = str(error.description) if error.description != own else _HELP.get(status, str(own))
    return _problem(status, detail)


def _answer_foreign(_error: SecurityError) -> Response:
    """Refuse a request for a host that is not ours; there are no addresses to build a page with."""
    return Response("This host name is not served here.\n", 400, mimetype="text/plain")


def _answer_hidden(error: HiddenError) -> tuple[Response | str, int]:
    return _problem(403, f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _answer_crash(error: Exception) -> tuple[Response | str, int]:
    current_app.logger.exception("a page failed: %s", request.path, exc_info=error)
    return _problem(500, _HELP[500])


def _problem(status: int, detail: str) -> tuple[Response | str, int]:
    title = HTTPStatus(status).phrase
    if request.path.startswith("/api/"):
        answer = jsonify(type="about:blank", title=title, status=status, detail=detail)
        answer.mimetype = "application/problem+json"
        return answer, status
    return render_template("error.html", title=title, detail=detail), status
