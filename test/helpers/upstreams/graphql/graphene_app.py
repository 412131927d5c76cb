"""Graphene over the WSGI server of the standard library: JSON, forms and bare documents, and the query of the target."""
import json
from socketserver import ThreadingMixIn
from urllib.parse import parse_qsl, quote
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import graphene


class SignUpInput(graphene.InputObjectType):
    email = graphene.String()
    name = graphene.String()


class User(graphene.ObjectType):
    email = graphene.String()


class SignUp(graphene.Mutation):
    class Arguments:
        input = SignUpInput()
        ref = graphene.String()
        note = graphene.String()

    Output = User

    def mutate(self, info, input=None, ref=None, note=None):
        return signed_up(info, (input or {}).get("email"))


class Register(graphene.Mutation):
    class Arguments:
        email = graphene.String()
        name = graphene.String()
        tags = graphene.List(graphene.String)

    Output = User

    def mutate(self, info, email=None, name=None, tags=None):
        return signed_up(info, email)


class LogIn(graphene.Mutation):
    class Arguments:
        email = graphene.String()
        password = graphene.String()

    Output = User

    def mutate(self, info, email=None, password=None):
        return User(email=None)


class Invite(graphene.Mutation):
    class Arguments:
        input = SignUpInput()
        tags = graphene.List(graphene.String)

    Output = User

    def mutate(self, info, input=None, tags=None):
        return User(email=None)


class Query(graphene.ObjectType):
    me = graphene.Field(User)
    products = graphene.List(graphene.String, first=graphene.Int(), like=graphene.List(graphene.String))
    sign_up_open = graphene.String()


class Mutation(graphene.ObjectType):
    sign_up = SignUp.Field()
    register = Register.Field()
    log_in = LogIn.Field()
    invite = Invite.Field()


def signed_up(info, email):
    info.context["signups"].append(email)
    return User(email=email)


SCHEMA = graphene.Schema(query=Query, mutation=Mutation)
STORED = {"stored-sign-up": "mutation($input: SignUpInput) { signUp(input: $input) { email } }"}


def parameters_of(environ):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    text = environ["wsgi.input"].read(length).decode()
    kind = environ.get("CONTENT_TYPE", "").split(";")[0]
    target = dict(parse_qsl(environ.get("QUERY_STRING", "")))
    if kind == "application/graphql":
        return [{**target, "query": text}]
    if kind == "application/x-www-form-urlencoded":
        return [{**target, **dict(parse_qsl(text))}]
    body = json.loads(text) if text else {}
    return [{**target, **one} for one in (body if isinstance(body, list) else [body])]


def run(parameters, context):
    variables = parameters.get("variables")
    if isinstance(variables, str):
        variables = json.loads(variables)
    document = STORED.get(parameters.get("id")) or parameters.get("query")
    SCHEMA.execute(document, variables=variables, operation_name=parameters.get("operationName"), context=context)


def app(environ, start_response):
    context = {"signups": []}
    headers = []
    status = "200 OK"
    try:
        for parameters in parameters_of(environ):
            run(parameters, context)
    except Exception:
        status = "400 Bad Request"
    if context["signups"]:
        facts = {
            "emails": context["signups"],
            "assertion": environ.get("HTTP_X_GATEKEEPER_ASSERTION"),
            "judged": environ.get("HTTP_X_JUDGED_EMAIL"),
        }
        headers.append(("X-App", quote(json.dumps(facts))))
    start_response(status, headers)
    return [b"{}"]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


with make_server("127.0.0.1", 0, app, server_class=Server, handler_class=Handler) as server:
    print(f"port {server.server_port}", flush=True)
    server.serve_forever()
