import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { assertWhole, untilCaught } from '../helpers/disturbed-start.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { launchGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CONFIG =
  'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n';
const ROUNDS = IS_FULL_PROOF ? 30 : 8;
const AT_ONCE = 2;

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'gatekeeper.yaml'), CONFIG);
  return folder;
}

async function startupTime(t: ExecutionContext): Promise<number> {
  const launched = launchGatekeeper(t, await newFolder(t), ['serve']);
  await untilCaught(launched, 'SIGHUP');
  const startedAt = performance.now();
  await launched.said('The dashboard is at ');
  const took = performance.now() - startedAt;
  t.is(await launched.end('SIGTERM'), 0);
  return took;
}

async function inLanes(count: number, run: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const testOnLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

testOnLinux('signals are handled before the configuration is read', async (t) => {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'gatekeeper.yaml'), 'nonsense: true\n');
  let isCaught = false;
  // A machine that is very busy may let this process look too late.
  for (let attempt = 0; attempt < 5 && !isCaught; attempt++) {
    const launched = launchGatekeeper(t, folder, ['serve']);
    isCaught = await untilCaught(launched, 'SIGHUP');
    launched.process.kill('SIGHUP');
    t.is(await launched.ended, 1);
    t.regex(launched.output(), /nonsense: unknown key/);
  }
  t.true(isCaught);
});

testOnLinux('the signals of log rotation neither open a debugger nor end the process', async (t) => {
  const running = await startGatekeeperProcess(t, temporaryFolder(t), CONFIG);
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGUSR1'] as const) {
    running.process.kill(signal);
    t.is((await fetch(`${running.url}/livez`)).status, 200, signal);
  }
  // A later signal is handled after the earlier ones.
  running.process.kill('SIGHUP');
  await running.said('the changed configuration is active');
  t.is(await running.end('SIGTERM'), 0);
  t.notRegex(running.output(), /[Dd]ebugger/);
});

testOnLinux(`a signal at ${ROUNDS} moments of a start is remembered or stops it cleanly`, async (t) => {
  const span = (await startupTime(t)) * 1.2;
  await inLanes(ROUNDS, async (i) => {
    const folder = await newFolder(t);
    const launched = launchGatekeeper(t, folder, i % 2 === 0 ? [] : ['serve']);
    await untilCaught(launched, 'SIGHUP');
    const delay = (span * i) / ROUNDS;
    await wait(delay);
    const signal = (['SIGHUP', 'SIGTERM', 'SIGINT'] as const)[i % 3] ?? 'SIGHUP';
    launched.process.kill(signal);
    if (signal === 'SIGHUP') {
      await launched.said('configuration is active');
      launched.process.kill('SIGTERM');
    }
    const name = `${signal} after ${Math.round(delay)} ms`;
    t.is(await launched.ended, 0, `${name}: ${launched.output()}`);
    assertWhole(t, folder, name);
  });
});

test.serial('SIGHUPs until the last moment of the process change nothing about its end', async (t) => {
  for (let round = 0; round < 2; round++) {
    const running = await startGatekeeperProcess(t, await newFolder(t), CONFIG);
    await running.said('The dashboard is at ');
    const timer = setInterval(() => running.process.kill('SIGHUP'), 1);
    t.teardown(() => clearInterval(timer));
    await running.said('configuration is active');
    // A request under way keeps the stop waiting until one has come, however busy the machine is.
    const { hostname, port } = new URL(running.url);
    const slow = connect(Number(port), hostname);
    t.teardown(() => slow.destroy());
    slow.on('error', () => {});
    slow.write(
      'POST /score-signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await fetch(`${running.url}/livez`);
    running.process.kill('SIGTERM');
    await running.said('SIGHUP is ignored');
    slow.destroy();
    t.is(await running.ended, 0, running.output());
    clearInterval(timer);
    t.is(running.output().split('SIGHUP is ignored').length - 1, 1);
    t.false(running.output().includes('refused'));
  }
});

test.serial('a burst of SIGHUPs is a few reloads', async (t) => {
  const running = await startGatekeeperProcess(t, await newFolder(t), CONFIG);
  await running.said('The dashboard is at ');
  for (let i = 0; i < 100; i++) {
    running.process.kill('SIGHUP');
    if (i % 10 === 0) await wait(1);
  }
  await running.said('configuration is active');
  t.is(await running.end('SIGTERM'), 0);
  const reloads = running.output().split('configuration is active').length - 1;
  t.true(reloads < 50, `${reloads} reloads`);
});

test.serial('a file that changes while the process starts is active soon after', async (t) => {
  const open = CONFIG.replace('127.0.0.1:0"}\nscoring', '127.0.0.1:0", registration: open}\nscoring');
  for (const delayMs of [0, 100, 300, 600, 900]) {
    const folder = await newFolder(t);
    const launched = launchGatekeeper(t, folder, ['serve']);
    await wait(delayMs);
    await writeFile(join(folder, 'gatekeeper.yaml'), open);
    await launched.said('The dashboard is at ');
    await launched.said('\n');
    const [, url = ''] = /The dashboard is at (\S+)/.exec(launched.output()) ?? [];
    while ((await fetch(`${url}/register`)).status !== 200) await wait(20);
    t.is(await launched.end('SIGTERM'), 0);
    t.false(launched.output().includes('invalid'));
  }
});

test.serial(
  `SIGHUP reads the files of \${file:…} again, although the configuration file is the same`,
  async (t) => {
    const folder = temporaryFolder(t);
    const setKey = (key: string) =>
      writeFile(join(folder, 'key'), createHash('sha256').update(key).digest('hex'), { mode: 0o600 });
    await setKey('first');
    const key = `keys: [{name: shop, sha256: "\${file:key}"}]`;
    const config = CONFIG.replace('api: {listen: "127.0.0.1:0"}', `api: {listen: "127.0.0.1:0", ${key}}`);
    const running = await startGatekeeperProcess(t, folder, config);
    await running.said('The dashboard is at ');
    const statusWith = async (apiKey: string) =>
      (await fetch(`${running.url}/usage`, { headers: { 'x-api-key': apiKey } })).status;
    t.deepEqual([await statusWith('first'), await statusWith('second')], [200, 401]);
    await setKey('second');
    running.process.kill('SIGHUP');
    await running.said('configuration is active');
    t.deepEqual([await statusWith('first'), await statusWith('second')], [401, 200]);
    rmSync(join(folder, 'key'));
    running.process.kill('SIGHUP');
    await running.said('configuration is invalid');
    t.is(await statusWith('second'), 200);
    t.is(await running.end('SIGTERM'), 0);
  },
);

testOnLinux('a second signal ends a start at once', async (t) => {
  const launched = launchGatekeeper(t, await newFolder(t), ['serve']);
  await untilCaught(launched, 'SIGHUP');
  launched.process.kill('SIGTERM');
  launched.process.kill('SIGINT');
  t.is(await launched.ended, 1);
});

testOnLinux('a command that ends by itself is interrupted like any other program', async (t) => {
  let endedBy: NodeJS.Signals | null = null;
  // On a machine that is very busy it may end before it is looked at.
  for (let attempt = 0; attempt < 5 && endedBy === null; attempt++) {
    const launched = launchGatekeeper(t, await newFolder(t), ['data', 'status']);
    await untilCaught(launched, 'SIGHUP');
    launched.process.kill('SIGTERM');
    t.not(await launched.ended, 1);
    endedBy = launched.process.signalCode;
  }
  t.is(endedBy, 'SIGTERM');
});
