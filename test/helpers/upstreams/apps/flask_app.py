# Flask on the server it comes with, behind two recipes that many deployments carry: a prefix and a method by header.
import json
import logging
from urllib.parse import quote

from flask import Flask, request
from werkzeug.serving import make_server

app = Flask(__name__)
logging.getLogger("werkzeug").setLevel(logging.CRITICAL)


class Recipes:
    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __call__(self, environ, start_response):
        prefix = environ.get("HTTP_X_SCRIPT_NAME", "")
        path = environ["PATH_INFO"]
        if prefix and path.startswith(prefix):
            environ["SCRIPT_NAME"] = prefix
            environ["PATH_INFO"] = path[len(prefix):]
        method = environ.get("HTTP_X_HTTP_METHOD_OVERRIDE", "").upper()
        if method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            environ["REQUEST_METHOD"] = method
        return self.wrapped(environ, start_response)


def welcome(email):
    if email is not None and not isinstance(email, str):
        email = json.dumps(email)
    headers = request.headers
    told = {"email": email, "assertion": headers.get("X-Gatekeeper-Assertion"), "judged": headers.get("X-Judged-Email")}
    return "welcome", 201, {"X-App": quote(json.dumps(told), safe="")}


def email_in(data):
    return data.get("email") if isinstance(data, dict) else None


@app.post("/signup", strict_slashes=False)
def signup():
    return welcome(email_in(request.get_json()) if request.is_json else request.form.get("email"))


@app.post("/join", strict_slashes=False)
def join():
    return welcome(email_in(request.get_json(force=True)))


@app.put("/account", strict_slashes=False)
def account():
    return welcome(email_in(request.get_json()) if request.is_json else request.values.get("email"))


app.wsgi_app = Recipes(app.wsgi_app)
server = make_server("127.0.0.1", 0, app)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
