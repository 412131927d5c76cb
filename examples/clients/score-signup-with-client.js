// npm install ./signup-gatekeeper-*.tgz
// GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… node score-signup-with-client.js <email> <ip> [user agent]
import { createClient } from 'signup-gatekeeper/client';

const gatekeeper = createClient({
  url: process.env.GATEKEEPER_URL,
  apiKey: process.env.GATEKEEPER_KEY,
  onError: 'allow', // without a decision the signup is accepted
  timeout: 3_000,
});

const [email, ipAddress, userAgent] = process.argv.slice(2);
const result = await gatekeeper.score({ email, ipAddress, userAgent });
if (result.source === 'fallback') console.error('no decision:', result.error.message);

switch (result.riskLevel) {
  case 'low':
    console.log('accept');
    break;
  case 'medium':
    console.log('verify');
    break;
  default:
    console.log('refuse');
}
