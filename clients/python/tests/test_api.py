"""Against a running Gatekeeper: its address and two keys are in the environment."""

import os
import unittest

from signup_gatekeeper import Client, ProblemError

UNKNOWN_ID = "0d4ff2c0-0000-7000-8000-000000000000"
ADA = {"email": "jane.doe@gmail.com", "ip_address": "2.125.160.216", "user_agent": "Mozilla/5.0"}


def client(key="GATEKEEPER_KEY", on_error="throw"):
    return Client(
        url=os.environ["GATEKEEPER_URL"], api_key=os.environ[key], on_error=on_error, timeout=110
    )


@unittest.skipUnless("GATEKEEPER_URL" in os.environ, "GATEKEEPER_URL names no running Gatekeeper")
class Api(unittest.TestCase):
    def test_it_scores_reads_the_decision_labels_it_and_reads_the_usage(self):
        used = client().usage()["used"]
        result = client().score(**ADA)
        self.assertEqual(result.source, "decision")
        self.assertIn(result.risk_level, ("low", "medium", "high"))
        factors = [reason["factor"] for reason in result.reasons]
        self.assertEqual(factors, ["email", "ip_address", "velocity", "user_agent"])
        client().feedback(result.request_id, "fraud")
        decision = client().decision(result.request_id)
        self.assertEqual((decision["label"], decision["trust_score"]), ("fraud", result.trust_score))
        self.assertEqual(client().usage()["used"], used + 1)

    def test_a_test_key_leads_to_each_level(self):
        for level in ("low", "medium", "high"):
            result = client("GATEKEEPER_TEST_KEY").score(email=f"{level}@example.com", ip_address="198.51.100.7")
            self.assertEqual((result.source, result.risk_level), ("decision", level))

    def test_the_same_idempotency_key_gets_the_same_answer(self):
        first = client().score(**ADA, idempotency_key="form-1")
        self.assertEqual(client().score(**ADA, idempotency_key="form-1").request_id, first.request_id)

    def test_a_misspelled_domain_has_a_suggestion(self):
        self.assertEqual(client().score(**{**ADA, "email": "ada@gmial.com"}).suggestion, "gmail.com")

    def test_what_a_sender_can_cause_is_never_allowed_in(self):
        allow = client(on_error="allow")
        allow.score(**ADA, idempotency_key="used")
        cases = [
            ({"email": "x@mailinator.com."}, None, "invalid_request"),
            ({"email": {"$ne": 1}}, None, "invalid_request"),
            ({"email": "a\udcff@example.com"}, None, "invalid_request"),
            ({"email": "a" * 1_000_000 + "@x.org"}, None, "payload_too_large"),
            ({"user_agent": "a" * 3_000}, None, "invalid_request"),
            ({"user_agent": "a" * 20_000}, None, "payload_too_large"),
            ({"ip_address": "unknown"}, None, "invalid_request"),
            ({}, "a\nb", "invalid_request"),
            ({}, "ключ", "invalid_request"),
            ({"email": "x@mailinator.com"}, "used", "idempotency_key_reused"),
        ]
        for change, key, code in cases:
            with self.subTest(change=str(change)[:40], key=key):
                result = allow.score(**{**ADA, **change}, idempotency_key=key)
                self.assertEqual((result.source, result.risk_level), ("invalid", "high"))
                self.assertEqual(result.error.code, code)

    def test_refusals_are_problem_errors_with_the_bad_fields(self):
        with self.assertRaises(ProblemError) as raised:
            client().score(email="ada", ip_address="300.1.1.1")
        error = raised.exception
        self.assertEqual((error.code, error.status), ("invalid_request", 400))
        self.assertEqual(sorted(bad["pointer"] for bad in error.errors), ["/email", "/ip_address"])
        self.assertTrue(error.request_id)
        for request_id, code in ((UNKNOWN_ID, "not_found"), ("..", "invalid_request"), ("", "invalid_request")):
            with self.assertRaises(ProblemError) as raised:
                client().decision(request_id)
            self.assertEqual(raised.exception.code, code)

    def test_a_wrong_key_is_a_fallback_by_choice(self):
        stranger = Client(url=os.environ["GATEKEEPER_URL"], api_key="wrong", on_error="allow", timeout=110)
        result = stranger.score(**ADA)
        self.assertEqual((result.source, result.risk_level), ("fallback", "low"))
        self.assertEqual(result.error.code, "invalid_api_key")
