// Express 5 and 4: npm install express ./signup-gatekeeper-*.tgz
import express from 'express';
import { createGatekeeper } from 'signup-gatekeeper';
import { judgeSignup } from 'signup-gatekeeper/express';

const gatekeeper = await createGatekeeper();
const app = express();
app.post('/signup', express.json(), express.urlencoded(), judgeSignup(gatekeeper), (request, response) => {
  const { action, requestId } = request.gatekeeper;
  response.status(201).json({ email: request.body.email, mustVerify: action === 'verify', requestId });
});
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => server.close(() => gatekeeper.close()));
