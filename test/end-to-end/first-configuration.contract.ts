import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { gatekeeper, spawnServe } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';

/** The page with the form of an app, and what its owner would find in it. */
export interface AppForm {
  readonly app: UpstreamApp;
  readonly page: string;
  readonly sentTo: string;
  /** Names of fields. */
  readonly email: string;
  readonly token: string;
}

/** The first configuration of a newcomer: `init`, `doctor`, `serve`, and the first signup. */
export function testFirstConfiguration({ app, page, sentTo, email, token }: AppForm): void {
  const run = app.isInstalled() ? test : test.skip;
  run(`${app.name}: init reads the form, doctor finds nothing broken, and a signup is judged`, async (t) => {
    t.timeout(300_000);
    const folder = temporaryFolder(t);
    const upstream = `127.0.0.1:${await openUpstreamApp(t, app)}`;
    const listen = `127.0.0.1:${await freePort()}`;
    const made = await gatekeeper(
      folder,
      ...['init', '--upstream', upstream, '--path', page, '--listen', listen],
    );
    t.is(made.code, 0, made.stderr);
    t.regex(made.stdout, /Found a form on/);
    const file = join(folder, 'gatekeeper.yaml');
    const text = readFileSync(file, 'utf8');
    t.true(text.includes(`path: ${sentTo}`) && text.includes(email), text);
    // Tests run beside each other, and offline.
    appendFileSync(
      file,
      'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\nserver: {max_lag: 60s}\n',
    );
    const doctor = await gatekeeper(folder, 'doctor', '--json');
    const findings = JSON.parse(doctor.stdout) as readonly {
      readonly check: string;
      readonly state: string;
    }[];
    t.deepEqual(
      findings.filter(({ state }) => state === 'broken'),
      [],
    );
    t.true(findings.some(({ check, state }) => check === 'app' && state === 'ok'));
    t.is(doctor.code, 0);

    const running = await spawnServe(t, folder, ['serve']);
    await running.said('The gate listens on ');
    const form = await fetch(`http://${listen}${page}`);
    const [, sent = ''] = new RegExp(`name="${token}" value="([^"]+)"`).exec(await form.text()) ?? [];
    t.not(sent, '');
    const answer = await fetch(`http://${listen}${sentTo}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: form.headers
          .getSetCookie()
          .map((line) => line.split(';', 1)[0])
          .join('; '),
        accept: 'text/html',
      },
      body: new URLSearchParams({ [token]: sent, [email]: 'someone@mailinator.com', note: 'hello' }),
    });
    t.true(answer.status === 302 || answer.status === 303, `${answer.status} ${await answer.text()}`);
    t.regex(answer.headers.get('location') ?? '', /welcome/);
    await running.said('a signup was judged');
    t.regex(running.output(), /"wanted_action":"block"/);
    t.regex(running.output(), /"action":"forward"/);
  });
}
