# pip install ./clients/python       (in a checkout of Gatekeeper)
# GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… python3 score_signup.py <email> <ip> [user agent]
import os
import sys

from signup_gatekeeper import Client

gatekeeper = Client(
    url=os.environ["GATEKEEPER_URL"],
    api_key=os.environ["GATEKEEPER_KEY"],
    on_error="allow",  # without a decision the signup is accepted
    timeout=3.0,
)

email, ip_address, user_agent = (sys.argv[1:] + [None])[:3]
result = gatekeeper.score(email=email, ip_address=ip_address, user_agent=user_agent)
if result.source == "fallback":
    print("no decision:", result.error, file=sys.stderr)

if result.risk_level == "low":
    print("accept")
elif result.risk_level == "medium":
    print("verify")
else:
    print("refuse")
