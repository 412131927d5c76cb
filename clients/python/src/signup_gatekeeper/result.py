from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Optional

from .api_types import Reason, RiskLevel
from .errors import GatekeeperError

#: Refusals that the sender of a signup can cause, also with another email for the same idempotency key.
_CAUSED_BY_SIGNUP = frozenset(
    ["invalid_request", "malformed_json", "payload_too_large", "idempotency_key_reused"]
)


@dataclass(frozen=True)
class ScoreResult:
    """The result of a score. `source` says where `risk_level` comes from.

    - `decision`: Gatekeeper scored the signup.
    - `fallback`: there is no decision; `low` for on_error="allow", `high` for "deny". `error` says why.
    - `invalid`: Gatekeeper refuses the fields, such as an email that is no mailbox. The sender can cause this, so it
      is `high` with on_error="allow" too: else a malformed email would be a way around the check.
    """

    source: Literal["decision", "fallback", "invalid"]
    risk_level: RiskLevel
    trust_score: Optional[int] = None
    reasons: List[Reason] = field(default_factory=list)
    request_id: Optional[str] = None
    processed_at: Optional[str] = None
    #: The domain that the sender probably meant, such as `gmail.com` for `gmial.com`.
    suggestion: Optional[str] = None
    error: Optional[GatekeeperError] = None


def result_of_answer(answer: Dict[str, Any], suggestion: Optional[str]) -> ScoreResult:
    return ScoreResult(
        source="decision",
        risk_level=answer["risk_level"],
        trust_score=answer["trust_score"],
        reasons=answer["reasons"],
        request_id=answer["request_id"],
        processed_at=answer.get("processed_at"),
        suggestion=suggestion,
    )


def result_without_decision(error: GatekeeperError, on_error: str) -> ScoreResult:
    if error.code in _CAUSED_BY_SIGNUP:
        return ScoreResult(source="invalid", risk_level="high", error=error)
    return ScoreResult(source="fallback", risk_level="low" if on_error == "allow" else "high", error=error)
