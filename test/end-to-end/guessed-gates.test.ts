import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Says what reached it, and what Gatekeeper says about it. */
async function openApp(t: ExecutionContext): Promise<number> {
  const app = createServer((request, response) => {
    const { 'x-gatekeeper-action': action = 'none', 'x-gatekeeper-score': score } = request.headers;
    request.resume().on('end', () => response.end(`${request.method} ${action} ${score !== undefined}`));
  });
  t.teardown(() => app.close());
  return await portOf(app);
}

interface Guess {
  readonly title: string;
  readonly text: (listen: number, app: number) => string;
  readonly args?: (listen: number, app: number) => readonly string[];
  readonly env?: (listen: number) => Readonly<Record<string, string>>;
  readonly field?: string;
}

const ROUTE = '  routes:\n    - path: /signup\n';
const guesses: readonly Guess[] = [
  {
    title: 'a port for listen and a host with a port for upstream',
    text: (listen, app) => `proxy:\n  listen: ${listen}\n  upstream: localhost:${app}\n${ROUTE}`,
  },
  {
    title: 'a port after a colon, and a port alone for upstream',
    text: (listen, app) => `proxy:\n  listen: ":${listen}"\n  upstream: ${app}\n${ROUTE}`,
  },
  {
    title: 'localhost, and a URL for upstream',
    text: (listen, app) =>
      `proxy:\n  listen: localhost:${listen}\n  upstream: http://localhost:${app}/\n${ROUTE}`,
  },
  {
    title: 'every address in a dry run, with another field',
    text: (listen, app) =>
      `proxy:\n  listen: 0.0.0.0:${listen}\n  upstream: 127.0.0.1:${app}\n${ROUTE}      email: user[mail]\n      mode: monitor\n`,
    field: 'user[mail]',
  },
  {
    title: 'no listen, and the port from --port',
    text: (_listen, app) => `proxy:\n  upstream: localhost:${app}\n${ROUTE}      mode: monitor\n`,
    args: (listen) => ['--port', String(listen)],
  },
  {
    title: 'the port from PORT, and the app from --upstream',
    text: () => `proxy:\n  upstream: localhost:1\n${ROUTE}      mode: monitor\n`,
    args: (_listen, app) => ['--upstream', `localhost:${app}`],
    env: (listen) => ({ PORT: String(listen) }),
  },
];
for (const { title, text, args, env, field = 'email' } of guesses) {
  test(`${title}: it starts, judges and forwards`, async (t) => {
    const folder = temporaryFolder(t);
    const [listen, app] = [await freePort(), await openApp(t)];
    const rest = 'api: {listen: 0}\ndashboard: {listen: 0}\nscoring: {dns: {enabled: false}}\n';
    writeFileSync(join(folder, 'gatekeeper.yaml'), text(listen, app) + rest);
    const running = launchGatekeeper(t, folder, args?.(listen, app) ?? [], env?.(listen));
    await running.said('The dashboard is at ');
    const answer = await fetch(`http://127.0.0.1:${listen}/signup`, {
      method: 'POST',
      body: new URLSearchParams({ [field]: 'jane.doe@gmail.com' }),
      headers: {
        'user-agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
        'accept-language': 'en',
      },
    });
    t.is(await answer.text(), 'POST forward true');
    t.regex(
      running.output(),
      new RegExp(
        `^ {2}signup {2}POST /signup → (?:localhost|127\\.0\\.0\\.1):${app} {2}(?:enforce|monitor)$`,
        'm',
      ),
    );
    t.regex(running.output(), /^No API key exists yet\. Create the first one: .* keys create --name first$/m);
    t.is(await running.end('SIGTERM'), 0);
    t.true(running.output().trimEnd().endsWith('"message":"stopped"}'), running.output());
  });
}

test('a port that is in use is named with its setting, and nothing starts', async (t) => {
  const folder = temporaryFolder(t);
  const taken = await openApp(t);
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    `proxy: {listen: ${taken}, upstream: 3000, routes: [{path: /signup}]}\napi: {listen: 0}\ndashboard: {listen: 0}\n`,
  );
  const launched = launchGatekeeper(t, folder, []);
  t.is(await launched.ended, 2);
  t.regex(
    launched.output(),
    new RegExp(
      `^proxy\\.listen: cannot listen on 127\\.0\\.0\\.1:${taken}: .* uses this address\\. Stop it, or change proxy\\.listen, or use --port\\.$`,
      'm',
    ),
  );
});

test('a PORT that is no port is refused', async (t) => {
  const launched = launchGatekeeper(t, temporaryFolder(t), [], { PORT: 'http' });
  t.is(await launched.ended, 1);
  t.regex(launched.output(), /^PORT is "http": write a port from 0 to 65535, or unset it$/m);
});
