import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`mails of nodes that died: ${MISSING_POSTGRES}`, () => {});

/** Of the product: from the hold until another node has written the mail again. */
const WRITTEN_WITHIN_MS = 240_000;

testPostgres('a mail lost with its node is written by another one within four minutes, once', async (t) => {
  t.timeout(600_000);
  let isTaken = false;
  const mailbox = await openSmtpMailbox(t, () =>
    isTaken ? null : Object.assign(new Error('Try again later'), { responseCode: 451 }),
  );
  let received = 0;
  const app = createServer((request, response) => {
    received++;
    request.resume().on('end', () => response.writeHead(201).end());
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.close());
  const { port } = app.address() as AddressInfo;
  const { direct, pooled } = await postgresDatabase(t);
  const start = (records: string) =>
    startGatekeeperProcess(
      t,
      temporaryFolder(t),
      `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${port}
  public_url: http://app.example
  routes: [{name: web, path: /signup, on_low: verify}]
dashboard: {listen: "127.0.0.1:0"}
mail: {smtp: "${mailbox.url}"}
scoring: {dns: {enabled: false}}
storage: {records: "${records}"}
privacy: {hash_secret: a secret that all nodes of this site share}
verification: {hold_secrets: [a secret of all nodes that seals signups]}
assertion: {keys: [{id: k1, secret: a secret of all nodes that signs headers}]}
`,
    );
  const [dying, ...living] = await Promise.all([start(direct), start(direct), start(pooled)]);
  const gateOf = ({ output }: typeof dying) => /The gate listens on (\S+)/.exec(output())?.[1] ?? '';
  await Promise.all([dying, ...living].map((node) => node.said('The gate listens on ')));
  const heldAt = performance.now();
  const held = await fetch(`${gateOf(dying)}/signup`, {
    ...{ method: 'POST', headers: { accept: 'application/json' } },
    body: new URLSearchParams({ email: 'jane.doe@gmail.com' }),
  });
  t.is(held.status, 403);
  const { verification_url: url } = (await held.json()) as { readonly verification_url: string };
  await dying.end('SIGKILL');
  isTaken = true;
  const [mail] = await mailbox.received(1);
  const tookMs = performance.now() - heldAt;
  t.log(`written again after ${Math.round(tookMs / 1_000)} s`);
  t.true(tookMs < WRITTEN_WITHIN_MS);
  const [first] = living;
  if (!first) throw new Error('two nodes live');
  const answer = await fetch(url.replace('http://app.example', gateOf(first)), {
    ...{ method: 'POST', body: JSON.stringify({ code: mail?.code }) },
    headers: { 'content-type': 'application/json' },
  });
  t.is(answer.status, 201);
  t.is(received, 1);
  t.is(mailbox.mails.length, 1, 'of two nodes that live, one wrote it');
});
