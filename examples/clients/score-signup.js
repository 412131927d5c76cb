// GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… node score-signup.js <email> <ip> [user agent]

/** `low`, `medium` or `high`. Without a decision it is `low`: the signup is accepted. */
async function riskOf({ email, ipAddress, userAgent }) {
  if (email.length > 254) return 'high'; // longer than any mailbox
  try {
    const response = await fetch(new URL('/score-signup', process.env.GATEKEEPER_URL), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': process.env.GATEKEEPER_KEY },
      body: JSON.stringify({ email, ip_address: ipAddress, user_agent: userAgent }),
      redirect: 'manual', // another address must not get the key
      signal: AbortSignal.timeout(3_000),
    });
    const answer = await response.json();
    if (response.status === 200 && answer.risk_level) return answer.risk_level;
    // The fields are invalid. A sender can cause this, so it must not be a way around the check.
    if (response.status === 400 || response.status === 413) return 'high';
    throw new Error(answer.detail ?? `status ${response.status}`);
  } catch (error) {
    console.error('no decision:', error.message);
    return 'low';
  }
}

const [email, ipAddress, userAgent] = process.argv.slice(2);
switch (await riskOf({ email, ipAddress, userAgent })) {
  case 'low':
    console.log('accept');
    break;
  case 'medium':
    console.log('verify');
    break;
  default:
    console.log('refuse');
}
