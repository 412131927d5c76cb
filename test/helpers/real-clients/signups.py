"""Signups as people write them with Python: one line of output for each, its name and the status of the answer."""

import io
import json
import sys
import urllib.parse
import urllib.request
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

url, email = sys.argv[1:3]
FIELDS = {"email": email, "name": "Jane Döe", "password": "p&q=1;2+", "terms": "on"}


def show(name, status):
    print(f"{name}\t{status}")


def urllib_send(name, data, headers):
    request = urllib.request.Request(url, data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        show(name, answer.status)


urllib_send("urllib form", urllib.parse.urlencode(FIELDS).encode(), {})
urllib_send("urllib form with quote", urllib.parse.urlencode(FIELDS, quote_via=urllib.parse.quote).encode(), {})
urllib_send("urllib JSON", json.dumps(FIELDS).encode(), {"Content-Type": "application/json"})
urllib_send("urllib indented JSON", json.dumps(FIELDS, indent=2, ensure_ascii=False).encode(), {"Content-Type": "application/json; charset=utf-8"})

# Latin-1, as a script for an old site has it.
latin = urllib.parse.urlencode({**FIELDS, "name": "Jérôme"}, encoding="latin-1").encode()
urllib_send("urllib form in Latin-1", latin, {"Content-Type": "application/x-www-form-urlencoded; charset=ISO-8859-1"})
urllib_send("urllib form in windows-1252", latin, {"Content-Type": 'application/x-www-form-urlencoded; charset="windows-1252"'})

mime = MIMEMultipart("form-data", boundary="===============7330845974216740156==")
for key, value in FIELDS.items():
    part = MIMEText(value, "plain", "us-ascii" if value.isascii() else "utf-8")
    part.replace_header("Content-Transfer-Encoding", "8bit") if "Content-Transfer-Encoding" in part else None
    if not value.isascii():
        part.set_payload(value)
    part.add_header("Content-Disposition", "form-data", name=key)
    mime.attach(part)
lines = [f"--{mime.get_boundary()}"]
body = b""
for part in mime.get_payload():
    head = "\r\n".join(f"{key}: {value}" for key, value in part.items())
    text = part.get_payload()
    body += f"--{mime.get_boundary()}\r\n{head}\r\n\r\n".encode() + text.encode("utf-8", "surrogateescape") + b"\r\n"
body += f"--{mime.get_boundary()}--\r\n".encode()
urllib_send("parts of the mail library", body, {"Content-Type": f'multipart/form-data; boundary="{mime.get_boundary()}"'})

try:
    import requests
except ImportError:
    sys.exit(0)

picture = bytes(range(256)) * 20
for name, arguments in {
    "requests form": {"data": FIELDS},
    "requests form of pairs": {"data": [*FIELDS.items(), ("topics", "a"), ("topics", "b")]},
    "requests JSON": {"json": FIELDS},
    "requests multipart": {"files": {key: (None, value) for key, value in FIELDS.items()}},
    "requests with a file": {"data": FIELDS, "files": {"avatar": ("name=ann.png", io.BytesIO(picture), "image/png")}},
    "requests with a file in Cyrillic": {"data": FIELDS, "files": {"avatar": ("Аня и я.png", io.BytesIO(picture))}},
    "requests with a large file": {"data": FIELDS, "files": {"avatar": ("a.png", io.BytesIO(picture * 400), "image/png")}},
    "requests in chunks": {"data": (piece.encode() for piece in [urllib.parse.urlencode(FIELDS)]), "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
    "requests with a prefilled query": {"data": FIELDS, "params": {"email": "old.address@corp.example", "utm_source": "x"}},
}.items():
    show(name, requests.post(url, allow_redirects=False, **arguments).status_code)
