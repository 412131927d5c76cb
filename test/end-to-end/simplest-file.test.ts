import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** An app on `localhost`, wherever that leads on this machine. */
async function openApp(t: ExecutionContext): Promise<number> {
  const app = createServer((request, response) => {
    request.resume().on('end', () => response.end(`${request.method} ${request.url}`));
  });
  app.listen(0, 'localhost');
  await once(app, 'listening');
  t.teardown(() => app.close());
  return (app.address() as AddressInfo).port;
}

for (const mode of ['', ', mode: monitor']) {
  test(`a gate with a port, an upstream and a path${mode} serves, and links lead to where it listens`, async (t) => {
    const folder = temporaryFolder(t);
    const upstream = await openApp(t);
    const running = await startGatekeeperProcess(
      t,
      folder,
      `api: {listen: 0}
dashboard: {listen: ":0"}
proxy: {listen: 0, upstream: "localhost:${upstream}", routes: [{path: /signup${mode}}]}
scoring: {dns: {enabled: false}}
`,
    );
    await running.said('The dashboard is at ');
    const [, url = ''] = /The gate listens on (\S+)/.exec(running.output()) ?? [];
    t.regex(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    await running.said('proxy.public_url is not set: links start with the address of proxy.listen');
    t.is(running.output().split('public_url').length - 1, 1, running.output());
    t.true(running.output().includes(`"url":"${url}"`));
    t.is(await (await fetch(`${url}/page?x=1`)).text(), 'GET /page?x=1');

    const answer = await fetch(`${url}/signup`, {
      method: 'POST',
      body: '{"email": "joe@gmail.com"}',
      headers: { 'user-agent': 'python-requests/2.32.3', 'content-type': 'application/json' },
    });
    if (mode === '') {
      t.is(answer.status, 403);
      const { verification_url } = (await answer.json()) as { readonly verification_url: string };
      t.true(verification_url.startsWith(`${url}/.gatekeeper/verify/`), verification_url);
      t.is((await fetch(verification_url)).status, 200);
    } else {
      t.is(await answer.text(), 'POST /signup');
    }
    t.is((await gatekeeper(folder, 'check')).code, 0);
    const { stdout } = await gatekeeper(folder, 'route', 'POST', '/signup');
    t.regex(stdout, /judged by route "signup"/);
  });
}
