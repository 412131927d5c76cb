import json, os, sys
from wsgiref.simple_server import make_server

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../examples/django"))
import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="of a test",
    GATEKEEPER_KEYS=json.loads(sys.argv[1]),
    LOGGING_CONFIG=None,
)
django.setup()
from gatekeeper import require_gatekeeper


def sign_up(request):
    claims = require_gatekeeper(request, settings.GATEKEEPER_KEYS)
    return HttpResponse(f"welcome {request.POST.get('email')} {claims['jti']}")


urlpatterns = [path("signup", sign_up)]
server = make_server("127.0.0.1", 0, get_wsgi_application())
print(f"port {server.server_port}", flush=True)
server.serve_forever()
