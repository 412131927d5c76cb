import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ask } from '../gate/transport/ask-gate.ts';
import { spawnServe } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** For `one.example` and `localhost`. */
const CERTIFICATE = fileURLToPath(new URL('../http/testdata/one.crt', import.meta.url));

test('every request to an app with a certificate for another name is 502 at once, and the stop waits for none', async (t) => {
  const key = readFileSync(CERTIFICATE.replace('.crt', '.key'));
  const app = createServer({ key, cert: readFileSync(CERTIFICATE) }, (_, response) => response.end('app'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  t.teardown(() => app.close());
  const { port } = app.address() as AddressInfo;
  const folder = temporaryFolder(t);
  const config =
    `proxy: {listen: "127.0.0.1:0", upstream: "https://127.0.0.1:${port}", routes: [{path: /signup}]}\n` +
    'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nserver: {max_lag: 60s}\n';
  await writeFile(join(folder, 'gatekeeper.yaml'), config);
  const running = await spawnServe(t, folder, ['serve'], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
  await running.said('The gate listens on ');
  const [, gate = ''] = /The gate listens on (\S+)/.exec(running.output()) ?? [];
  const signal = AbortSignal.timeout(60_000);
  for (const host of ['shop.example', 'shop.example', '127.0.0.1', 'www.shop.example'])
    t.is((await ask(gate, { headers: { host }, signal })).status, 502);
  t.regex(running.output(), /does not match certificate's altnames/);
  t.is(await running.end('SIGTERM'), 0);
});
