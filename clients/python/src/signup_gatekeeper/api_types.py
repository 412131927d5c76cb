"""The types of the API. Generated from src/api/openapi.ts by scripts/generate-docs.ts.

Later versions may add values to ReasonCode and ProblemCode: handle those that you do not know.
"""

from typing import List, Literal, Optional, TypedDict


RiskLevel = Literal[
    "low",
    "medium",
    "high",
]
Factor = Literal[
    "email",
    "ip_address",
    "velocity",
    "user_agent",
]
ReasonCode = Literal[
    "corporate_email",
    "education_email",
    "government_email",
    "personal_email",
    "relay_email",
    "disposable_email",
    "undeliverable_email",
    "invalid_email",
    "disposable_mail_exchange",
    "free_subdomain_email",
    "suspicious_domain",
    "misspelled_domain",
    "random_local_part",
    "role_email",
    "subaddressed_email",
    "mixed_script_email",
    "denylisted_pattern",
    "denylisted_email",
    "allowlisted_email",
    "email_not_evaluated",
    "residential_ip",
    "mobile_ip",
    "business_ip",
    "education_ip",
    "relay_ip",
    "unclassified_ip",
    "private_ip",
    "reserved_ip",
    "tor_ip",
    "proxy_ip",
    "vpn_ip",
    "datacenter_ip",
    "blocklisted_ip",
    "denied_country",
    "denylisted_ip",
    "allowlisted_ip",
    "ip_address_not_evaluated",
    "normal_velocity",
    "elevated_velocity",
    "ip_burst",
    "subnet_burst",
    "domain_burst",
    "mailbox_reuse",
    "device_burst",
    "template_burst",
    "cohort_surge",
    "velocity_not_evaluated",
    "standard_browser",
    "mobile_app",
    "unusual_browser",
    "missing_user_agent",
    "outdated_browser",
    "malformed_user_agent",
    "automation_tool",
    "headless_browser",
    "known_crawler",
    "inconsistent_headers",
    "no_form_visit",
    "user_agent_not_evaluated",
]
ProblemCode = Literal[
    "bad_request",
    "malformed_json",
    "invalid_request",
    "missing_api_key",
    "invalid_api_key",
    "signup_refused",
    "verification_required",
    "wrong_code",
    "verification_locked",
    "cross_site_request",
    "not_found",
    "method_not_allowed",
    "request_timeout",
    "verification_closed",
    "payload_too_large",
    "unsupported_media_type",
    "expectation_failed",
    "idempotency_key_reused",
    "rate_limited",
    "quota_exceeded",
    "too_many_mails",
    "header_too_large",
    "internal_error",
    "bad_gateway",
    "overloaded",
    "shutting_down",
    "gateway_timeout",
]
FeedbackLabel = Literal[
    "legitimate",
    "fraud",
]


class Reason(TypedDict):
    factor: Factor
    score: int
    reason_code: ReasonCode
    description: str
    risk_level: RiskLevel


class ScoreAnswer(TypedDict):
    trust_score: int
    risk_level: RiskLevel
    # One reason for each factor, in this order.
    reasons: List[Reason]
    request_id: str
    processed_at: str


class EvidenceFields(TypedDict, total=False):
    # Number of the autonomous system.
    asn: int
    # Organisation that runs the network, at most 160 characters.
    organisation: str
    # Country of the network, ISO 3166-1 alpha-2.
    country: str
    # The listed network in CIDR notation.
    network: str
    # DNS block lists that contain the IP address.
    block_lists: List[str]
    # The name that led to this finding, as A-labels: a domain, one of its parents, or a suffix.
    domain: str
    # Why there is no mailbox, or why no mail can reach it.
    cause: Literal["missing", "syntax", "reserved_name", "unknown_suffix", "no_such_domain", "no_mail_server", "null_mx", "unreachable_mail_server"]
    # Fields that the body has instead of the email: names, never values.
    body_fields: List[str]
    # The domain that the sender probably meant.
    suggestion: str
    # The receiver of mail for the domain: the domain of the mail server, the IP address of a mail server inside the domain itself, or the throwaway service.
    mail_server: str
    # The score that the model of throwaway names gave the domain.
    score: float
    # The lowest score at which the model suspects a domain.
    threshold: float
    # Probability that the domain is for throwaway mailboxes, 0 to 1.
    probability: float
    # The part of the domain name in the probability, as natural logarithm of odds. Negative for an ordinary name.
    name_odds: float
    # The part of one list of throwaway domains in the probability, as natural logarithm of odds.
    list_odds: float
    # The part of a host with free subdomains in the probability, as natural logarithm of odds.
    host_odds: float
    # The part of the email address that mixes scripts.
    part: Literal["local_part", "domain"]
    # The fact that the counted signups share. `site` is an IPv6 /64 and has the limits of `ip`.
    dimension: Literal["ip", "site", "subnet", "mailbox", "domain", "device", "template", "cohort"]
    # The count in the window, including this signup.
    count: int
    # The limit of the window, after widening.
    limit: int
    # The window with the largest share of its limit, by its name in `scoring.velocity`.
    window: Literal["per_minute", "per_10_minutes", "per_hour", "per_day"]
    # The pattern that the local parts share: `#` is a number, `~w.w#4` two words and four digits, `~alnum:8` eight mixed letters and digits.
    pattern: str
    # The group of signups that the style is compared with. `domain`: styles of own domains, not of local parts. `mail_server`: mail servers of new domains. `interval`: signups at regular intervals.
    group: Literal["all", "provider", "browser", "domain", "mail_server", "interval"]
    # The spelling of the local part or of the domain: `n` is a name, `o` a word, `d2` two digits, `mix` random characters. `mx:` and a host: the mail server of the domain. `interval`: signups at equal intervals.
    style: str
    # A made-up text of the same style.
    example: str
    # Seconds between two signups, for signups at regular intervals.
    every_seconds: int
    # The number of recent signups of the site that were compared.
    among: int
    # The usual share of the style in its group, 0 to 1.
    usual: float
    # Why the limit is wider than the configured one, or why the count is shared with others.
    widened_for: str
    # The number of mailboxes that were verified recently at this IP address, network or domain. They widen the limit.
    verified: int
    # The configured limit, before verified mailboxes widen it.
    usual_limit: int
    # Browser that the user agent claims.
    browser: str
    # Major version of that browser.
    version: int
    # Operating system that the user agent claims.
    system: str
    # Month in which the next version was released, `YYYY-MM`.
    replaced: str
    # Tool, crawler or test framework that the user agent names.
    program: str
    # Headers that contradict the claimed browser or are missing, in lower case.
    headers: List[str]
    # Seconds from the last visit of the page with the form to the signup.
    form_visited_before: int
    # The number of past hours, 1 to 24, for which visits of the page with the form are known.
    form_visit_hours: int


class Finding(TypedDict):
    code: ReasonCode
    # Points that this finding subtracts from the factor.
    points: float
    description: str
    # The facts that led to this finding, as a sentence for people.
    evidence: Optional[str]
    # The same facts for programs. A field is present when the reason has this fact and it is known. Empty for decisions stored before fields were kept.
    fields: EvidenceFields


class DecisionFactor(TypedDict):
    factor: Factor
    state: Literal["evaluated", "not_evaluated", "listed"]
    score: int
    # The share of the factor in the mean.
    weight: float
    risk_level: RiskLevel
    findings: List[Finding]


class Cap(TypedDict):
    cap: Literal["one_high_factor", "two_high_factors", "decisive"]
    limit: int
    because: List[str]


class Counterfactual(TypedDict):
    without: ReasonCode
    trust_score: int
    risk_level: RiskLevel


class Decision(TypedDict):
    request_id: str
    processed_at: str
    door: Literal["api", "gate", "cli", "simulation"]
    # The route of the gate; null at the API.
    route: Optional[str]
    trust_score: int
    risk_level: RiskLevel
    # The action that was taken: `forward`, `verify` or `block`. Null at the API, which takes no action.
    action: Optional[str]
    # The action that the route asks for. In monitor mode it is not taken.
    wanted_action: Optional[str]
    # `enforce` or `monitor`; null at the API.
    mode: Optional[str]
    # A factor was not evaluated, or not completely.
    degraded: bool
    factors: List[DecisionFactor]
    # The weighted mean before caps and lists. Null when no factor was evaluated.
    mean: Optional[float]
    caps: List[Cap]
    # The score without one finding.
    counterfactual: List[Counterfactual]
    policy_revision: str
    data_revision: str
    # The outcome of the signup.
    outcome: Optional[str]
    label: Optional[FeedbackLabel]


class UsageDay(TypedDict):
    date: str
    used: int


class Usage(TypedDict):
    plan: str
    # The requests that the plan allows in a month. Null when the plan has no limit.
    limit: Optional[int]
    used: int
    remaining: Optional[int]
    resets_at: str
    days: List[UsageDay]


class FieldError(TypedDict):
    pointer: str
    detail: str


class _ProblemRequired(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: ProblemCode
    request_id: str


class Problem(_ProblemRequired, total=False):
    # Every invalid field, by JSON Pointer.
    errors: List[FieldError]
