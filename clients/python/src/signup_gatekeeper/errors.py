from typing import List, Optional

from .api_types import FieldError


class GatekeeperError(Exception):
    """A call that got no usable answer. The message says what failed and what to do. Branch on `code`.

    `code` is `connection_failed`, `time_limit_exceeded` or `unexpected_answer`, or a problem code.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        #: The status of the answer; None when none arrived.
        self.status = status
        #: Whole seconds that the server asked to wait.
        self.retry_after_seconds = retry_after_seconds


class ProblemError(GatekeeperError):
    """A refusal of the API: its problem document (RFC 9457). The message is the `detail`."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int,
        request_id: Optional[str] = None,
        errors: Optional[List[FieldError]] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(code, detail, status=status, retry_after_seconds=retry_after_seconds)
        #: Quote it to the operator; None when the client itself refused the call.
        self.request_id = request_id
        #: Every bad field, by JSON pointer.
        self.errors: List[FieldError] = errors or []


def invalid_request(pointer: str, detail: str) -> ProblemError:
    """The refusal that the server would answer, made without a request."""
    errors: List[FieldError] = [{"pointer": pointer, "detail": detail}]
    return ProblemError("invalid_request", f"{pointer} {detail}", status=400, errors=errors)
