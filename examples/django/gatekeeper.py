# GATEKEEPER_KEYS = {"generated": os.environ["GATEKEEPER_ASSERTION_SECRET"]}   (settings.py)
# def sign_up(request):
#     claims = require_gatekeeper(request, settings.GATEKEEPER_KEYS)
import base64, hashlib, hmac, json, time
from django.core.exceptions import PermissionDenied


def require_gatekeeper(request, keys):
    try:
        head, claims, signature = request.headers["X-Gatekeeper-Assertion"].split(".")
        header, said = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in (head, claims))
        secret = keys[header["kid"]]
        mac = hmac.new(secret.encode(), f"{head}.{claims}".encode(), "sha256").digest()
        sound = hmac.compare_digest(base64.urlsafe_b64encode(mac).decode().rstrip("="), signature)
        path = request.META.get("RAW_URI") or request.META.get("REQUEST_URI") or request.get_full_path()
        arrived = [request.method, path, hashlib.sha256(request.body).hexdigest()]
        sound = sound and bool(secret) and header["alg"] == "HS256" and said["iss"] == "gatekeeper"
        sound = sound and said["exp"] > time.time() and said["action"] != "block"
        sound = sound and [said["method"], said["path"], said["body_sha256"]] == arrived
    except Exception:  # whatever cannot be read was not signed
        sound = False
    if not sound:
        raise PermissionDenied("This request did not come through the gate.")
    return said
