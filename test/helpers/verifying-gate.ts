import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { withDefaultTimes } from '../end-to-end/records-faults.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { openFaultProxy } from './fault-proxy.ts';
import { startGatekeeperProcess } from './gatekeeper-process.ts';
import { connectPostgres } from './postgres-server.ts';
import { openSmtpMailbox } from './smtp-mailbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A gate that verifies each signup, and the connection between it and PostgreSQL. */
export async function openVerifyingGate(t: ExecutionContext) {
  const names: (string | undefined)[] = [];
  const app = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    names.push(new URLSearchParams(body).get('email')?.split('@')[0]);
    response.writeHead(201).end();
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  const { direct } = await postgresDatabase(t);
  const url = new URL(withDefaultTimes(direct));
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const proxy = await openFaultProxy(Number(url.port));
  t.teardown(() => proxy.close());
  url.port = String(proxy.port);
  const mailbox = await openSmtpMailbox(t);
  const running = await startGatekeeperProcess(
    t,
    temporaryFolder(t),
    `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${(app.address() as AddressInfo).port}
  public_url: http://app.example
  routes: [{name: web, path: /signup, on_low: verify}]
scoring: {dns: {enabled: false}}
mail: {smtp: "${mailbox.url}"}
storage: {records: "${url.href}"}
privacy: {hash_secret: a secret of this site for its mailboxes}
verification: {hold_secrets: [a secret of this site that seals signups]}
assertion: {keys: [{id: k1, secret: a secret of this site that signs headers}]}
`,
  );
  await running.said('The gate listens on ');
  await running.said('\n', 3);
  const gateUrl = /The gate listens on (\S+)/.exec(running.output())?.[1] ?? '';
  const signUp = async (name: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${gateUrl}/signup`, {
      ...{ method: 'POST', headers: { accept: 'application/json' } },
      body: new URLSearchParams({ email: `${name}@gmail.com` }),
    });
    const text = await response.text();
    const [path = ''] = /\/\.gatekeeper\/verify\/[\w-]+/.exec(text) ?? [];
    return { status: response.status, path, ms: Math.round(performance.now() - startedAt) };
  };
  const confirm = async (path: string, code: string) => {
    const response = await fetch(`${gateUrl}${path}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ code }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { admin, proxy, mailbox, signUp, confirm, received: () => names };
}
