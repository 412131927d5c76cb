import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'ava';
import { explainListenError } from '../../src/cli/explain-listen-error.ts';
import { findPortOwner } from '../../src/cli/port-owner.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ListenError } from '../../src/http/listen-error.ts';
import { knownNames } from '../config/known-names.ts';

const testOnLinux = process.platform === 'linux' ? test : test.skip;

function explain(text: string, host: string, port: number, code = 'EADDRINUSE'): string {
  const { config } = loadConfig({ file: null, text, env: {}, knownNames });
  const cause = Object.assign(new Error('listen failed'), { code });
  return explainListenError(new ListenError({ host, port }, cause), config);
}

testOnLinux('the program that listens on a port is named with its script and its process', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  t.regex(findPortOwner(port) ?? '', new RegExp(`^node.* \\(process ${process.pid}\\)$`));
  t.regex(
    explain(`api: {listen: ${port}}\n`, '127.0.0.1', port),
    /^api\.listen: cannot listen on 127\.0\.0\.1:\d+: node.* \(process \d+\) uses this address\. Stop it, or change api\.listen, or use --port\.$/,
  );
});

test('the message names the setting, and the flag only where it helps', (t) => {
  const gate = 'proxy: {listen: "0.0.0.0:1", upstream: 3000}\n';
  t.is(
    explain(gate, '0.0.0.0', 1, 'EACCES'),
    'proxy.listen: cannot listen on 0.0.0.0:1: this user may not use this port. Change proxy.listen to a port from 1024 on, or use --port.',
  );
  t.is(
    explain(`${gate}api: {listen: "[::1]:2"}\n`, '::1', 2, 'EADDRNOTAVAIL'),
    'api.listen: cannot listen on ::1:2: this machine does not have this address. Change the host of api.listen, such as 127.0.0.1 or 0.0.0.0.',
  );
  t.is(
    explain('dashboard: {listen: 3}\n', '127.0.0.1', 3, 'EMFILE'),
    'dashboard.listen: cannot listen on 127.0.0.1:3 (EMFILE). Change dashboard.listen.',
  );
});
