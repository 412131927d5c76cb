// Server actions as Next.js runs them: whatever the method and the path, a header names the function to call. Its
// arguments come as JSON called text, or as the fields of a form.
import { createServer } from 'node:http';
import { report } from './report.js';

const SIGN_UP = '7f3a9c';

async function emailOf(request, body) {
  const type = request.headers['content-type'] ?? '';
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return form.get('email') ?? undefined;
  }
  return [JSON.parse(body.toString())].flat()[0]?.email;
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    if (request.headers['next-action'] !== SIGN_UP) response.end('a page');
    else {
      const email = await emailOf(request, Buffer.concat(chunks));
      response.writeHead(201, { 'X-App': report(request.headers, email) }).end('welcome');
    }
  } catch {
    response.writeHead(400).end('no');
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
