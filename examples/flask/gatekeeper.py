# KEYS = {"generated": os.environ["GATEKEEPER_ASSERTION_SECRET"]}
# @app.post("/signup")
# def sign_up():
#     claims = require_gatekeeper(KEYS)
import base64, hashlib, hmac, json, time
from flask import abort, request


def require_gatekeeper(keys):
    try:
        head, claims, signature = request.headers["X-Gatekeeper-Assertion"].split(".")
        header, said = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in (head, claims))
        secret = keys[header["kid"]]
        mac = hmac.new(secret.encode(), f"{head}.{claims}".encode(), "sha256").digest()
        sound = hmac.compare_digest(base64.urlsafe_b64encode(mac).decode().rstrip("="), signature)
        path = request.environ.get("RAW_URI") or request.environ.get("REQUEST_URI")
        arrived = [request.method, path, hashlib.sha256(request.get_data()).hexdigest()]
        sound = sound and bool(secret) and header["alg"] == "HS256" and said["iss"] == "gatekeeper"
        sound = sound and said["exp"] > time.time() and said["action"] != "block"
        sound = sound and [said["method"], said["path"], said["body_sha256"]] == arrived
    except Exception:  # whatever cannot be read was not signed
        sound = False
    return said if sound else abort(403)
