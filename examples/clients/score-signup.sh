#!/bin/sh
# Needs curl and jq.
# GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… sh score-signup.sh <email> <ip> [user agent]
set -eu

# Longer than any mailbox.
[ ${#1} -le 254 ] || { echo refuse; exit; }

# jq writes the JSON: quotes in a value cannot change the request.
signup=$(jq -n --arg email "$1" --arg ip "$2" --arg agent "${3:-}" \
  '{email: $email, ip_address: $ip, user_agent: $agent}')

# 000 is the status when no answer arrived within 3 seconds.
answer=$(printf '%s' "$signup" | curl -sS --max-time 3 -w '\n%{http_code}' "$GATEKEEPER_URL/score-signup" \
  -H "X-API-Key: $GATEKEEPER_KEY" -H 'Content-Type: application/json' --data-binary @-) || true
status=${answer##*
}
risk=$(printf '%s' "${answer%
*}" | jq -r '.risk_level?' 2>/dev/null) || true

case "$status $risk" in
  '200 low') echo accept ;;
  '200 medium') echo verify ;;
  '200 high') echo refuse ;;
  # The fields are invalid. A sender can cause this, so it must not be a way around the check.
  400* | 413*) echo refuse ;;
  # Without a decision the signup is accepted.
  *) echo "no decision: status $status" >&2; echo accept ;;
esac
