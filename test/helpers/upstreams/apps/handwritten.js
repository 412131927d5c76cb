// What people write without a framework: the URL parsed against a base, the body read whatever its type says.
import { createServer } from 'node:http';
import { report } from './report.js';

function emailOf(text) {
  try {
    return JSON.parse(text)?.email;
  } catch {
    return new URLSearchParams(text).get('email') ?? undefined;
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).replace(/\/+$/, '');
    const isSignup = request.method === 'POST' && (path === '/signup' || path === '/join');
    if (isSignup || (request.method === 'PUT' && path === '/account')) {
      const email = emailOf(Buffer.concat(chunks).toString());
      response.writeHead(201, { 'X-App': report(request.headers, email) }).end('welcome');
    } else response.writeHead(404).end('nothing here');
  } catch {
    response.writeHead(400).end('no');
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
