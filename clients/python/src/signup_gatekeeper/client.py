import json
import re
import ssl
import urllib.parse
import uuid
from typing import Any, Dict, Literal, Optional, cast

from .api_types import Decision, FeedbackLabel, Usage
from .errors import GatekeeperError, ProblemError, invalid_request
from .result import ScoreResult, result_of_answer, result_without_decision
from .transport import Answer, Request, Server, call

#: What the API accepts. A larger body could break the connection, which would look like a failure of the server.
_MAX_BODY_BYTES = 16_384
_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]+")
_REQUEST_ID = re.compile(r"[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}", re.ASCII)


class Client:
    """A client for the API of Gatekeeper. Threads may share it. It holds no connection and need not be closed.

    url: the address of the API, such as `http://127.0.0.1:8080`.
    on_error: what `score` does when Gatekeeper does not answer in time or cannot answer: return a fallback that lets
        the signup in ("allow") or refuses it ("deny"), or raise the error ("throw"). All other methods raise.
    timeout: seconds for a whole call with all its retries, at most 600.
    retries: further tries after the first, 0 to 10.
    ssl_context: for https, for example with a private certificate authority.

    Raises ValueError for an option that cannot work.
    """

    def __init__(
        self,
        *,
        url: str,
        api_key: str,
        on_error: Literal["allow", "deny", "throw"],
        timeout: float = 3.0,
        retries: int = 2,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        if not isinstance(api_key, str) or not _VISIBLE_ASCII.fullmatch(api_key):
            raise ValueError("api_key must be an API key such as gk_live_…; is its environment variable set?")
        if on_error not in ("allow", "deny", "throw"):
            raise ValueError('on_error must be "allow", "deny" or "throw": what to do without an answer')
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout <= 600:
            raise ValueError(f"timeout must be a number of seconds, at most 600, but is {timeout!r}")
        if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= 10:
            raise ValueError(f"retries must be a whole number from 0 to 10, but is {retries!r}")
        self._server = _read_url(url, ssl_context)
        self._api_key = api_key
        self._on_error = on_error
        self._timeout = timeout
        self._retries = retries

    def score(
        self,
        *,
        email: str,
        ip_address: str,
        user_agent: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> ScoreResult:
        """Scores a signup. Look at `source` to know whether there is a decision.

        The same idempotency key and signup get the same answer for 24 hours and count once. The default is a new key
        for each call, so that its retries count once. With on_error="throw" it raises GatekeeperError.
        """
        try:
            return self._score(email, ip_address, user_agent, idempotency_key)
        except GatekeeperError as error:
            if self._on_error == "throw":
                raise
            return result_without_decision(error, self._on_error)

    def decision(self, request_id: str) -> Decision:
        """The decision of a request id, with its evidence. Raises GatekeeperError; `not_found` is a ProblemError."""
        value = self._call("GET", _decision_path(request_id)).value
        _check_answer(value is not None and isinstance(value.get("factors"), list))
        return cast(Decision, value)

    def feedback(self, request_id: str, label: FeedbackLabel) -> None:
        """Says what a signup turned out to be. Replaces an earlier label. Raises GatekeeperError."""
        path = f"{_decision_path(request_id)}/feedback"
        _check_answer(self._call("POST", path, body=json.dumps({"label": label}).encode()).value is None)

    def usage(self) -> Usage:
        """What the account of the key used this month (UTC). Raises GatekeeperError."""
        value = self._call("GET", "usage").value
        _check_answer(value is not None and isinstance(value.get("days"), list))
        return cast(Usage, value)

    def _score(
        self, email: str, ip_address: str, user_agent: Optional[str], idempotency_key: Optional[str]
    ) -> ScoreResult:
        if idempotency_key is None:
            idempotency_key = str(uuid.uuid4())
        elif not _is_idempotency_key(idempotency_key):
            raise invalid_request("/idempotency_key", "must have 1 to 255 characters of visible ASCII, no spaces")
        body = _render_signup({"email": email, "ip_address": ip_address, "user_agent": user_agent})
        answer = self._call("POST", "score-signup", body=body, headers={"Idempotency-Key": idempotency_key})
        value = answer.value or {}
        _check_answer(
            value.get("risk_level") in ("low", "medium", "high")
            and isinstance(value.get("trust_score"), int)
            and isinstance(value.get("reasons"), list)
            and isinstance(value.get("request_id"), str)
        )
        return result_of_answer(value, answer.headers.get("Gatekeeper-Suggestion"))

    def _call(
        self,
        method: str,
        path: str,
        *,
        body: Optional[bytes] = None,
        headers: Optional[Dict[str, str]] = None,
    ) -> Answer:
        all_headers = {"Accept": "application/json", "X-API-Key": self._api_key, **(headers or {})}
        if body is not None:
            all_headers["Content-Type"] = "application/json"
        request = Request(method, path, all_headers, body)
        return call(self._server, request, timeout=self._timeout, retries=self._retries)


def _read_url(url: str, ssl_context: Optional[ssl.SSLContext]) -> Server:
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except (ValueError, AttributeError, TypeError):
        raise ValueError("url must be the address of the API, such as http://127.0.0.1:8080") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("url must be the address of the API, such as http://127.0.0.1:8080")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("url must hold no user name, no password, no query and no fragment")
    path = parts.path.rstrip("/")
    if path.endswith("/score-signup"):
        raise ValueError("url must be the address of the API without /score-signup")
    if not re.fullmatch(r"[\x21-\x7e]*", path + parts.hostname):
        raise ValueError("url must be ASCII: write other characters percent-encoded, and the host as xn--…")
    is_secure = parts.scheme == "https"
    context = (ssl_context or ssl.create_default_context()) if is_secure else None
    return Server(parts.scheme, parts.hostname, port or (443 if is_secure else 80), f"{path}/", context)


def _render_signup(fields: Dict[str, Optional[str]]) -> bytes:
    """The body of a request. The server checks the texts; here only what could not be sent is refused."""
    for name, value in fields.items():
        if not isinstance(value, str) and not (name == "user_agent" and value is None):
            raise invalid_request(f"/{name}", "must be a string")
    try:
        body = json.dumps(fields, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise invalid_request("", "must be valid Unicode") from None
    if len(body) > _MAX_BODY_BYTES:
        raise ProblemError("payload_too_large", f"The signup has more than {_MAX_BODY_BYTES} bytes.", status=413)
    return body


def _is_idempotency_key(key: Any) -> bool:
    return isinstance(key, str) and len(key) <= 255 and _VISIBLE_ASCII.fullmatch(key) is not None


def _decision_path(request_id: str) -> str:
    """A path such as `..` would lead to another route, so only a request id is sent."""
    if not isinstance(request_id, str) or not _REQUEST_ID.fullmatch(request_id):
        raise invalid_request("/request_id", "must be the request id of a decision, a UUID")
    return f"decisions/{request_id}"


def _check_answer(is_expected: bool) -> None:
    if not is_expected:
        message = "The answer does not come from Gatekeeper. Check that url is the address of the API."
        raise GatekeeperError("unexpected_answer", message, status=200)
