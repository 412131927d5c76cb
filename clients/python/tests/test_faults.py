import email.utils
import re
import socket
import threading
import unittest
from unittest import mock

from signup_gatekeeper import Client, GatekeeperError, ProblemError

from .fault_server import SCORE, FaultServer, answer, drip, flood, hang, problem, reset

ADA = {"email": "ada@example.com", "ip_address": "198.51.100.7"}
#: Longer than any pause of a busy machine.
LONG = 110.0


def client(url, **options):
    return Client(**{"url": url, "api_key": "gk_live_x", "on_error": "throw", "timeout": LONG, **options})


def header(request, name):
    found = re.search(rf"(?mi)^{name}: (.*?)\r$", request.decode())
    return found and found.group(1)


class Faults(unittest.TestCase):
    def code_of(self, call):
        with self.assertRaises(GatekeeperError) as raised:
            call()
        return raised.exception.code

    def test_an_error_names_an_ipv6_server_as_in_its_url(self):
        with self.assertRaisesRegex(GatekeeperError, re.escape("at http://[::1]:9/")):
            client("http://[::1]:9", retries=0).score(**ADA)

    def test_a_reset_a_503_and_a_429_are_tried_again_with_the_same_key_and_body(self):
        reactions = [
            reset,
            problem(503, "overloaded", "Retry-After: 0"),
            problem(429, "rate_limited"),
            answer(200, SCORE, "Gatekeeper-Suggestion: gmail.com"),
        ]
        with FaultServer(reactions) as server:
            result = client(server.url, retries=3).score(**ADA)
            self.assertEqual((result.source, result.trust_score), ("decision", 91))
            self.assertEqual(result.suggestion, "gmail.com")
            self.assertEqual(len(server.requests), 4)
            self.assertEqual(len(set(server.requests)), 1)
            self.assertRegex(header(server.requests[0], "Idempotency-Key"), "^[0-9a-f-]{36}$")
            self.assertEqual(header(server.requests[0], "X-API-Key"), "gk_live_x")
            self.assertTrue(server.requests[0].startswith(b"POST /score-signup HTTP/1.1\r\n"))

    def test_the_next_try_is_never_earlier_than_retry_after_says(self):
        with FaultServer([problem(503, "shutting_down", "Retry-After: 1"), answer(200, SCORE)]) as server:
            client(server.url).score(**ADA)
            self.assertGreaterEqual(server.times[1] - server.times[0], 1)

    def test_a_retry_after_beyond_the_time_limit_is_not_waited_for(self):
        date = f"Date: {email.utils.formatdate(0, usegmt=True)}"
        later = email.utils.formatdate(3_600, usegmt=True)
        for wait in ("3600", "999999999", later):
            with FaultServer([problem(429, "quota_exceeded", f"Retry-After: {wait}", date)]) as server:
                with self.assertRaises(ProblemError) as raised:
                    client(server.url).score(**ADA)
                self.assertGreaterEqual(raised.exception.retry_after_seconds, 3_600, wait)
                self.assertEqual(len(server.requests), 1, wait)

    def test_a_retry_after_that_is_not_a_time_is_ignored(self):
        for wait in ("soon", "-5", "1e400", "1.5", ""):
            with FaultServer([problem(503, "overloaded", f"Retry-After: {wait}"), answer(200, SCORE)]) as server:
                client(server.url).score(**ADA)
                self.assertEqual(len(server.requests), 2, wait)

    def test_what_cannot_help_is_sent_once(self):
        refusals = [(400, "invalid_request"), (401, "invalid_api_key"), (404, "not_found")]
        refusals += [(413, "payload_too_large"), (422, "idempotency_key_reused"), (500, "internal_error")]
        for status, code in refusals:
            with FaultServer([problem(status, code)]) as server:
                self.assertEqual(self.code_of(lambda: client(server.url).score(**ADA)), code)
                self.assertEqual(len(server.requests), 1, code)

    def test_after_the_last_retry_the_last_error_is_raised(self):
        for retries in (0, 2):
            with FaultServer([problem(503, "overloaded")]) as server:
                code = self.code_of(lambda: client(server.url, retries=retries).score(**ADA))
                self.assertEqual((code, len(server.requests)), ("overloaded", retries + 1))

    def test_answers_of_another_program_are_errors_that_say_so(self):
        wrong_score = SCORE.replace(b'"low"', b'"none"')
        nested = b'{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
        cases = [answer(200, body) for body in (b"<html>", b"", b'{"a', b"null", b"[]", b"{}", b"\xff", nested)]
        cases += [answer(200, wrong_score), answer(204, b""), answer(404, b"<h1>"), answer(502, b"Bad")]
        cases += [answer(302, b"", "Location: http://127.0.0.1:1/"), answer(307, b"", "Location: /x")]
        for index, reaction in enumerate(cases):
            with FaultServer([reaction]) as server:
                call = client(server.url, retries=0).score
                self.assertEqual(self.code_of(lambda: call(**ADA)), "unexpected_answer", index)
                self.assertEqual(len(server.requests), 1, "a redirect is not followed")

    def test_a_connection_that_breaks_is_tried_again(self):
        def half(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + SCORE[:20])

        def no_http(connection):
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

        with FaultServer([half, no_http, answer(200, SCORE)]) as server:
            self.assertEqual(client(server.url).score(**ADA).trust_score, 91)

    def test_a_server_that_hangs_or_sends_byte_by_byte_ends_at_the_time_limit(self):
        for reaction in (hang, drip(b""), drip(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")):
            with FaultServer([reaction]) as server:
                result = client(server.url, timeout=0.4, on_error="deny").score(**ADA)
                self.assertEqual((result.source, result.risk_level), ("fallback", "high"))
                self.assertEqual(result.error.code, "time_limit_exceeded")

    def test_a_look_up_that_hangs_ends_at_the_time_limit(self):
        released = threading.Event()
        with mock.patch.object(socket, "getaddrinfo", lambda *_, **__: released.wait() and []):
            result = client("http://gatekeeper.internal:8080", timeout=0.3, on_error="allow").score(**ADA)
        released.set()
        self.assertEqual(result.error.code, "time_limit_exceeded")

    def test_an_answer_of_a_gigabyte_is_cut_off(self):
        sent = []
        with FaultServer([flood(sent)]) as server:
            self.assertEqual(self.code_of(client(server.url, retries=0).usage), "unexpected_answer")
        self.assertLess(sum(sent), 64 * 1_048_576)

    def test_without_a_server_the_choice_decides_and_the_result_says_so(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        for on_error, level in (("allow", "low"), ("deny", "high")):
            result = client(f"http://127.0.0.1:{port}", on_error=on_error).score(**ADA)
            self.assertEqual((result.source, result.risk_level), ("fallback", level))
            self.assertEqual(result.error.code, "connection_failed")
            self.assertNotIn("gk_live_x", str(result))

    def test_a_name_without_an_address_is_a_fallback(self):
        result = client(f"http://{'a' * 70}.invalid", on_error="allow", retries=0).score(**ADA)
        self.assertEqual(result.source, "fallback")

    def test_a_path_before_the_api_is_kept(self):
        with FaultServer([answer(200, SCORE)]) as server:
            client(f"{server.url}/gatekeeper/").score(**ADA)
            self.assertTrue(server.requests[0].startswith(b"POST /gatekeeper/score-signup "))

    def test_threads_may_share_a_client(self):
        with FaultServer([answer(200, SCORE)]) as server:
            shared = client(server.url)
            sources = []
            calls = [
                threading.Thread(target=lambda: sources.append(shared.score(**ADA).source)) for _ in range(50)
            ]
            for thread in calls:
                thread.start()
            for thread in calls:
                thread.join()
            self.assertEqual(sources, ["decision"] * 50)
            self.assertEqual(len({header(request, "Idempotency-Key") for request in server.requests}), 50)
