import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openGatedApp } from '../helpers/gated-app.ts';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { CAN_MOUNT, mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { scoreOnce } from './kill/acts.ts';

const DISK_MEGABYTES = 12;
const MAX_REQUESTS = 5_000;

// The title says what is missing; the full proof counts it as a failure.
const testWithMounts = CAN_MOUNT ? test.serial : test.serial.skip;

const configFor = (records: string, appPort: number) => `api: {listen: "127.0.0.1:0"}
server: {max_lag: 60s}
storage: {records: "sqlite:${records}"}
scoring: {dns: {enabled: false}}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${appPort}
  routes: [{name: web, path: /signup, on_medium: forward, on_high: forward}]
`;

testWithMounts(
  'on a full disk the API refuses and counts nothing, the gate goes on, and both recover with space',
  async (t) => {
    const { folder: disk } = mountSmallDisk(t, DISK_MEGABYTES);
    const folder = temporaryFolder(t);
    const config = configFor(join(disk, 'gatekeeper.db'), await openGatedApp(t));
    const running = await startGatekeeperProcess(t, folder, config);
    await running.said('The dashboard is at ');
    const gateUrl = /The gate listens on (\S+)/.exec(running.output())?.[1] ?? '';
    const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'unlimited');
    const key = stdout.trim();
    const used = async () => {
      const usage = await fetch(`${running.url}/usage`, { headers: { 'x-api-key': key } });
      return ((await usage.json()) as { readonly used: number }).used;
    };
    const signUp = () =>
      fetch(`${gateUrl}/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email": "jane.doe@gmail.com"}',
      });

    // Leaves room for some decisions.
    writeFileSync(join(disk, 'ballast'), Buffer.alloc((DISK_MEGABYTES - 3) * 1_048_576));
    let answered = 0;
    let refused = 0;
    while (refused < 20 && answered < MAX_REQUESTS) {
      const { status } = await scoreOnce(running.url, key, crypto.randomUUID());
      if (status === 200) answered++;
      else {
        t.is(status, 503);
        refused++;
      }
    }
    t.log(`${answered} answered before the disk was full`);
    t.is(refused, 20);
    t.is(await used(), answered);
    t.is((await signUp()).status, 200);
    await running.said('No space is left');
    // A line for each request would fill the disk of the log too.
    const lines = running
      .output()
      .split('\n')
      .filter((line) => line.includes('the records do not answer'));
    t.is(lines.filter((line) => line.includes('"request_id"')).length, 1);
    const ready = async () => (await fetch(`${running.url}/readyz`)).text();
    await until(async () => {
      await scoreOnce(running.url, key, crypto.randomUUID());
      return (await ready()).includes('"records":"away since ');
    });

    rmSync(join(disk, 'ballast'));
    let status = 0;
    while (status !== 200) ({ status } = await scoreOnce(running.url, key, null));
    t.is(await used(), answered + 1);
    await until(async () => (await ready()) === '{"status":"ok"}');
    t.is((await signUp()).status, 200);
    t.is(await running.end('SIGTERM'), 0);
    const again = await startGatekeeperProcess(t, folder, config);
    const usage = await fetch(`${again.url}/usage`, { headers: { 'x-api-key': key } });
    t.like(await usage.json(), { used: answered + 1 });
  },
);

testWithMounts('a read-only file system is refused at the start, by name and with the remedy', async (t) => {
  const disk = mountSmallDisk(t, DISK_MEGABYTES);
  const folder = temporaryFolder(t);
  const config = configFor(join(disk.folder, 'gatekeeper.db'), await openGatedApp(t));
  const running = await startGatekeeperProcess(t, folder, config);
  t.is(await running.end('SIGTERM'), 0);
  disk.readOnly();
  const { code, stderr } = await gatekeeper(folder, 'serve');
  t.is(code, 2);
  t.regex(
    stderr,
    /gatekeeper\.db.*(read or written|cannot be opened).*check its disk, its owner and its mode/s,
  );
});

testWithMounts('a file of records that may only be read is refused by check as by the start', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.db');
  const running = await startGatekeeperProcess(t, folder, configFor(file, await openGatedApp(t)));
  t.is(await running.end('SIGTERM'), 0);
  execFileSync('mount', ['--bind', file, file]);
  t.teardown(() => execFileSync('umount', ['--lazy', file]));
  execFileSync('mount', ['-o', 'remount,ro,bind', file]);
  for (const [command, expected] of Object.entries({ serve: 2, check: 1 })) {
    const { code, stderr } = await gatekeeper(folder, command);
    t.is(code, expected);
    t.regex(
      stderr,
      /gatekeeper\.db cannot be read or written \(\w+\): check its disk, its owner and its mode\./,
    );
  }
});
