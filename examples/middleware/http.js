// node:http: npm install ./signup-gatekeeper-*.tgz
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGatekeeper } from 'signup-gatekeeper';
import { judgeSignup } from 'signup-gatekeeper/http';

const gatekeeper = await createGatekeeper();
const signUp = judgeSignup(gatekeeper, async (request, response) => {
  const { action, requestId } = request.gatekeeper;
  const body = await text(request);
  const isJson = request.headers['content-type']?.includes('json');
  const email = isJson ? JSON.parse(body).email : new URLSearchParams(body).get('email');
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ email, mustVerify: action === 'verify', requestId }));
});
const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/signup') return response.writeHead(404).end();
  signUp(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => server.close(() => gatekeeper.close()));
