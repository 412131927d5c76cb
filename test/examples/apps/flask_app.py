import json, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../examples/flask"))
from flask import Flask, request
from gatekeeper import require_gatekeeper
from werkzeug.serving import make_server

KEYS = json.loads(sys.argv[1])
app = Flask("signups")


@app.route("/signup", methods=["POST", "PUT"])
def sign_up():
    claims = require_gatekeeper(KEYS)
    return f"welcome {request.form.get('email')} {claims['jti']}"


server = make_server("127.0.0.1", 0, app)
print(f"port {server.port}", flush=True)
server.serve_forever()
