import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const TEMPLATE = 'templatetemplatetempla';

/** Checks signatures with the library of the standard. Batches of decisions for the export itself are not counted. */
async function startApp(t: ExecutionContext) {
  const taken: { readonly id: string; readonly ids: readonly string[] }[] = [];
  let status = 204;
  let most = Number.POSITIVE_INFINITY;
  let held: Promise<void> | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = request.headers as Record<string, string>;
      const message = new Webhook(SECRET).verify(Buffer.concat(chunks).toString(), headers) as {
        type: string;
        data: { campaign: object; decisions: { request_id: string }[] };
      };
      if (message.type !== 'campaign.passed') return response.writeHead(204).end();
      t.like(message.data.campaign, { kind: 'template', key: TEMPLATE });
      if (message.data.decisions.length > most) return response.writeHead(413).end();
      taken.push({
        id: headers['webhook-id'] ?? '',
        ids: message.data.decisions.map((decision) => decision.request_id).sort(),
      });
      await held;
      return response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return {
    taken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answer: (code: number) => (status = code),
    /** Messages with more decisions are too large. */
    limit: (decisions: number) => (most = decisions),
    /** Answers wait until the returned function is called. */
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

test('what passed of a campaign is one click away from a webhook, signed, and the same ids when it is sent again', async (t) => {
  const app = await startApp(t);
  const server = await startDashboard(t, {
    config: (config) => ({
      ...config,
      exports: [
        { name: 'app', url: app.url, secrets: [SECRET], private_networks: ['127.0.0.0/8'] },
        { name: 'elsewhere', url: app.url, secrets: [SECRET], private_networks: [] },
      ],
    }),
  });
  const operator = await server.signIn('operator');
  const made = await storeDecisions(
    server,
    Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: `mailbox${String(n).padStart(15, '0')}` }),
      action: n < 5 ? ('forward' as const) : ('block' as const),
    })),
  );
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  const link = (/href="(\/campaigns\/one[^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&');
  t.true((await operator.get(link)).body.includes('Send to the webhook app'));
  const fields = Object.fromEntries(new URL(link, server.url).searchParams);
  const send = (name: string) => operator.post('/campaigns/send', { ...fields, export: name });
  t.regex((await send('app')).body, /5 decisions were sent to the webhook app/);
  const passed = made.filter(({ action }) => action === 'forward').map(({ requestId }) => requestId);
  t.deepEqual(app.taken[0]?.ids, passed.sort());
  await send('app');
  t.deepEqual(app.taken[1], app.taken[0]);
  app.limit(2);
  t.regex((await send('app')).body, /5 decisions were sent to the webhook app/);
  const small = app.taken.splice(2);
  t.deepEqual(small.map(({ ids }) => ids.length).sort(), [1, 2, 2]);
  t.deepEqual(small.flatMap(({ ids }) => ids).sort(), passed);
  await send('app');
  t.deepEqual(app.taken.splice(2), small, 'the same ids again');
  app.limit(Number.POSITIVE_INFINITY);
  const release = app.hold();
  const slow = send('app');
  while (app.taken.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is((await send('app')).status, 429, 'an impatient second click');
  t.is(app.taken.length, 3);
  release();
  t.is((await slow).status, 200);
  app.answer(503);
  t.regex(
    (await send('app')).body,
    /0 decisions were sent to the webhook app, then it failed: <code>status_503/,
  );
  t.regex((await send('elsewhere')).body, /address_refused/);
  t.is((await send('unknown')).status, 400);
  t.is(app.taken.length, 4);
  const [entry] = await server.records.audit.page({ before: null, limit: 1, act: 'campaign.exported' });
  t.deepEqual(entry?.detail, { webhook: 'elsewhere', decisions: 0, failure: 'address_refused' });
  const support = await server.signIn('support');
  t.is((await support.post('/campaigns/send', { ...fields, export: 'app' })).status, 404);
});
