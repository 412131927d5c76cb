import { tmpdir } from 'node:os';
import test from 'ava';
import { openChildServer } from '../../bench/child-server.ts';
import { freePort } from '../../bench/free-port.ts';
import { cpuTimeUs } from '../../bench/process-tree.ts';

const run = (script: string) =>
  openChildServer({ command: [process.execPath, '-e', script], folder: tmpdir() });

test('a server is ready when it prints its address, and gone after a stop', async (t) => {
  const server = await run("console.log('It listens on http://127.0.0.1:4711'); setInterval(() => {}, 1e6)");
  t.is(server.port, 4711);
  t.true(cpuTimeUs(server.pid) > 0);
  await server.stop();
  t.throws(() => cpuTimeUs(server.pid), { message: /ended/ });
  await t.notThrowsAsync(server.stop());
});

test('a server without output is ready when its port accepts connections', async (t) => {
  const port = await freePort();
  const script = `setTimeout(() => require('node:net').createServer().listen(${port}, '127.0.0.1'), 50)`;
  const command = [process.execPath, '-e', script] as const;
  const server = await openChildServer({ command, folder: tmpdir(), port });
  t.is(server.port, port);
  await server.stop();
  const silent = openChildServer({ command: [process.execPath, '-e', ''], folder: tmpdir(), port });
  await t.throwsAsync(silent, { message: /ended with 0 before it listened/ });
});

test('a server that ends instead is quoted, and a program that is missing is named', async (t) => {
  await t.throwsAsync(run("console.error('the port is taken'); process.exit(3)"), {
    message: /ended with 3 .*the port is taken/s,
  });
  await t.throwsAsync(openChildServer({ command: ['no-such-program-here'], folder: tmpdir() }), {
    message: /no-such-program-here/,
  });
});
