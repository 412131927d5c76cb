import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { doctor } from '../../src/cli/doctor/doctor.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { run } from './run-check.ts';

const testRedis = REDIS_PROGRAMS.length === 0 ? test.skip : test;
if (REDIS_PROGRAMS.length === 0) test.skip('refused counters: no server is installed', () => {});

const configOf = (counters: string) =>
  `storage: {counters: "${counters}"}\nscoring: {dns: {enabled: false}}\nprivacy: {hash_secret: a secret of this test}\n`;

testRedis('check and doctor refuse counters that a start would refuse, without their password', async (t) => {
  const server = await startRedis(['--requirepass', 'hunter2', '--maxmemory', '64mb'], {
    password: 'hunter2',
  });
  t.teardown(() => server.stop());
  await server.admin.call('ACL', 'SETUSER', 'narrow', 'on', '>hunter2', '~gk1:*', '+@read', '+info', '+ping');
  const place = `127.0.0.1:${server.port}`;
  for (const [url, said] of [
    [`redis://:hunter3@${place}`, /WRONGPASS/],
    [`redis://${place}`, /NOAUTH/],
    [`redis://narrow:hunter2@${place}`, /NOPERM/],
    [`redis://:hunter2@${place}/99`, /refuses database 99/],
  ] as const) {
    const { code, err } = await run(t, configOf(url));
    t.is(code, 1, url);
    t.regex(err, said);
    t.regex(err, /^storage\.counters: the server refuses .*\n1 mistake\n$/s);
    t.notRegex(err, /hunter/);
  }
  t.is((await run(t, configOf(`redis://:hunter2@${place}`))).code, 0);

  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'gatekeeper.yaml'), configOf(`redis://:hunter3@${place}`), { mode: 0o600 });
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  await doctor(
    { json: true },
    { cwd: folder, env: {}, write, writeError: write, isTerminal: false, hasColour: false },
  );
  const refused = (JSON.parse(out) as readonly Finding[]).find(({ message }) =>
    message.includes('WRONGPASS'),
  );
  t.is(refused?.state, 'broken');
  t.is(refused?.check, 'scaling');
});

testRedis('counters that do not answer pass: a start does not wait for them', async (t) => {
  const server = await startRedis();
  await server.stop();
  t.is((await run(t, configOf(`redis://127.0.0.1:${server.port}`))).code, 0);
});
