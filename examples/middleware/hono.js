// Hono on Node: npm install hono @hono/node-server ./signup-gatekeeper-*.tgz
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createGatekeeper } from 'signup-gatekeeper';
import { judgeSignup } from 'signup-gatekeeper/hono';

const gatekeeper = await createGatekeeper();
const app = new Hono();
app.post('/signup', judgeSignup(gatekeeper), async (context) => {
  const { action, requestId } = context.get('gatekeeper');
  const isJson = context.req.header('content-type')?.includes('json');
  const { email } = isJson ? await context.req.json() : await context.req.parseBody();
  return context.json({ email, mustVerify: action === 'verify', requestId }, 201);
});
const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' },
  (info) => console.log(`Listening on http://127.0.0.1:${info.port}`),
);
process.once('SIGTERM', () => server.close(() => gatekeeper.close()));
