import unittest

from signup_gatekeeper import Client

GOOD = {"url": "http://127.0.0.1:8080", "api_key": "gk_live_x", "on_error": "allow"}
WRONG = {
    "url": [None, "", "127.0.0.1:8080", "ftp://x", "http://u:p@x", "http://x/?key=1", "http://x:99999"]
    + ["http://x/score-signup", "http://x/a b", "http://x/ä"],
    "api_key": [None, "", "with space", "gk_live_…", 7, "a\r\nX: 1"],
    "on_error": [None, "open", True],
    "timeout": [0, -1, float("nan"), float("inf"), 601, "3", None, True],
    "retries": [-1, 11, 1.5, "2", None, True],
}


class Options(unittest.TestCase):
    def test_an_option_that_cannot_work_is_refused_at_once_by_name(self):
        Client(**GOOD)
        for option, values in WRONG.items():
            for value in values:
                with self.subTest(option=option, value=value), self.assertRaises(ValueError) as raised:
                    Client(**{**GOOD, option: value})
                self.assertTrue(str(raised.exception).startswith(option), str(raised.exception))
