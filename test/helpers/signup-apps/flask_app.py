# The same shop in Flask, with its signed session cookie.
import hashlib
import secrets

from flask import Flask, jsonify, redirect, request, session
from werkzeug.serving import make_server

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
app.config["SESSION_COOKIE_NAME"] = "shop"
accounts = []
FORM = """<!doctype html><title>Shop</title><form method="post" enctype="multipart/form-data">
<input type="hidden" name="csrf" value="%s">
<input name="email"> <input type="file" name="photo"> <button>Sign up</button></form>"""
PLAIN_FORM = """<!doctype html><title>Shop</title><form method="post">
<input type="hidden" name="csrf" value="%s">
<input name="email"> <textarea name="note"></textarea> <button>Sign up</button></form>"""


@app.get("/signup")
def form():
    session["csrf"] = secrets.token_hex(16)
    return FORM % session["csrf"]


@app.post("/signup")
def sign_up():
    if request.form.get("csrf") != session.get("csrf"):
        return "forged", 403
    accounts.append(request.form["email"])
    photo = hashlib.sha256(request.files["photo"].read()).hexdigest()
    response = redirect("/welcome?photo=" + photo)
    response.set_cookie("user", secrets.token_hex(8), httponly=True)
    return response


@app.get("/join")
def plain_form():
    session["csrf"] = secrets.token_hex(16)
    return PLAIN_FORM % session["csrf"]


@app.post("/join")
def join():
    if request.form.get("csrf") != session.get("csrf"):
        return "forged", 403
    accounts.append(request.form["email"])
    response = redirect("/welcome?photo=" + hashlib.sha256(request.form["note"].encode()).hexdigest())
    response.set_cookie("user", secrets.token_hex(8), httponly=True)
    return response


@app.post("/api/signup")
def api_sign_up():
    accounts.append(request.get_json()["user"]["email"])
    return jsonify(id=len(accounts)), 201


@app.get("/welcome")
def welcome():
    known = str("user" in request.cookies).lower()
    text = "welcome known=%s accounts=%d photo=%s" % (known, len(accounts), request.args.get("photo"))
    return text, 200, {"Content-Type": "text/plain"}


server = make_server("127.0.0.1", 0, app, threaded=True)
print("port %d" % server.port, flush=True)
server.serve_forever()
