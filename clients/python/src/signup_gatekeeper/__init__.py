"""Client for the API of Gatekeeper: scores signups, with a time limit, retries and a fallback."""

from .client import Client
from .errors import GatekeeperError, ProblemError
from .result import ScoreResult

__all__ = ["Client", "GatekeeperError", "ProblemError", "ScoreResult"]
