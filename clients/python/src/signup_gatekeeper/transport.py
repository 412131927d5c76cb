import email.utils
import http.client
import json
import random
import re
import ssl
import time
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from .deadline import Deadline, DeadlineSocket, connect
from .errors import GatekeeperError, ProblemError

#: A decision has a few kilobytes.
MAX_ANSWER_BYTES = 1_048_576
#: 502 and 504 come from a load balancer whose node went away. A 500 or 4xx would be the same again.
_TEMPORARY = (429, 502, 503, 504)
_FIRST_DELAY = 0.1
_MAX_DELAY = 2.0
#: Spreads the clients that an overloaded server sent away at the same time.
_MAX_SPREAD = 0.5


@dataclass(frozen=True)
class Server:
    """Where the API is."""

    scheme: str
    host: str
    port: int
    #: Begins and ends with a slash.
    path: str
    ssl_context: Optional[ssl.SSLContext]

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Optional[bytes] = None


@dataclass(frozen=True)
class Answer:
    #: The JSON object; None for 204.
    value: Optional[Dict[str, Any]]
    headers: Mapping[str, str]


def call(server: Server, request: Request, *, timeout: float, retries: int) -> Answer:
    """One call with its retries, all within the time limit of `timeout` seconds.

    Every request of the API may be repeated: scoring carries an idempotency key, and a label replaces the former one.
    Raises GatekeeperError.
    """
    deadline = Deadline(timeout)
    tries = 1
    while True:
        try:
            return _send(server, request, deadline)
        except GatekeeperError as error:
            if deadline.is_over() and error.code == "connection_failed":
                message = f"Gatekeeper at {server} did not answer within {timeout:g} s."
                raise GatekeeperError("time_limit_exceeded", message) from error
            is_temporary = error.code == "connection_failed" or error.status in _TEMPORARY
            delay = _retry_delay(error, tries)
            # Waiting longer than the limit only delays the same error.
            if not is_temporary or tries > retries or deadline.is_over() or delay >= deadline.remaining():
                raise
        time.sleep(delay)
        tries += 1


def _send(server: Server, request: Request, deadline: Deadline) -> Answer:
    connected = None
    try:
        connected = connect(server.host, server.port, deadline)
        if server.ssl_context is not None:
            connected.settimeout(deadline.remaining())
            connected = server.ssl_context.wrap_socket(connected, server_hostname=server.host)
        # HTTPConnection only writes the Host header: the socket is already connected.
        connection = http.client.HTTPConnection(server.host, server.port)
        connection.sock = DeadlineSocket(connected, deadline)  # type: ignore[assignment]
        connection.request(request.method, server.path + request.path, request.body, dict(request.headers))
        return _read(server, connection.getresponse())
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        message = f"No connection to Gatekeeper at {server}: {error or type(error).__name__}. Is it running?"
        raise GatekeeperError("connection_failed", message) from error
    finally:
        if connected is not None:
            connected.close()


def _read(server: Server, response: http.client.HTTPResponse) -> Answer:
    status = response.status
    if status == 204:
        return Answer(None, response.headers)
    if 300 <= status < 400:
        raise _unexpected(server, status, "redirects. Redirects are not followed: they would get the key")
    body = response.read(MAX_ANSWER_BYTES + 1)
    if len(body) > MAX_ANSWER_BYTES:
        raise _unexpected(server, status, f"answered with more than {MAX_ANSWER_BYTES} bytes")
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    value = _parse_object(body)
    if 200 <= status < 300:
        if value is None:
            raise _unexpected(server, status, "answered with something that is not a JSON object")
        return Answer(value, response.headers)
    retry_after = _read_retry_after(response.headers)
    if value is None or not isinstance(value.get("code"), str):
        raise _unexpected(server, status, f"answered {status} without a problem document", retry_after)
    errors = value.get("errors")
    raise ProblemError(
        value["code"],
        str(value.get("detail") or f"The API answered {status}."),
        status=status,
        request_id=value.get("request_id"),
        errors=errors if isinstance(errors, list) else [],
        retry_after_seconds=retry_after,
    )


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unexpected(server: Server, status: int, what: str, retry_after: Optional[int] = None) -> GatekeeperError:
    """An answer of another program: a proxy, a captive portal, an app at the same port."""
    message = f"{server} {what}. Check that url is the address of the API."
    return GatekeeperError("unexpected_answer", message, status=status, retry_after_seconds=retry_after)


def _retry_delay(error: GatekeeperError, tries: int) -> float:
    """Seconds until the next try. Never less than the server asked for."""
    asked = error.retry_after_seconds or 0
    if asked > 0:
        return asked + random.random() * min(_MAX_SPREAD, asked / 4)
    ceiling = min(_MAX_DELAY, _FIRST_DELAY * 2**tries)
    return ceiling / 2 + random.random() * (ceiling / 2)


def _read_retry_after(headers: Mapping[str, str]) -> Optional[int]:
    """Seconds of a `Retry-After` field (RFC 9110 section 10.2.3); None when it is absent or invalid."""
    text = (headers.get("Retry-After") or "").strip()
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
        now = email.utils.parsedate_to_datetime(headers.get("Date") or "")
        return max(0, int((moment - now).total_seconds()))
    except (TypeError, ValueError, IndexError):
        return None
