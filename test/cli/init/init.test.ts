import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Ask, type InitArguments, init } from '../../../src/cli/init/init.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { knownNames } from '../../config/known-names.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const FORM =
  '<form method="post" action="/users"><input type="email" name="user[email]"><input type="password" name="p"></form>';

async function openApp(t: ExecutionContext, page: string = FORM): Promise<string> {
  const app = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page);
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.close();
    app.closeAllConnections();
  });
  return `127.0.0.1:${(app.address() as AddressInfo).port}`;
}

async function run(
  t: ExecutionContext,
  options: InitArguments,
  ask: Ask = null,
  folder = temporaryFolder(t),
) {
  let out = '';
  let err = '';
  const code = await init(
    { ...options, command: 'npx gatekeeper' },
    {
      cwd: folder,
      env: {},
      write: (text) => {
        out += text;
      },
      writeError: (text) => {
        err += text;
      },
      isTerminal: ask !== null,
      hasColour: false,
    },
    ask,
  );
  const file = join(folder, options.config ?? 'gatekeeper.yaml');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const proxy = text === null ? null : loadConfig({ file: null, text, env: {}, knownNames }).config.proxy;
  const [route] = proxy?.routes ?? [];
  return {
    code,
    out,
    err,
    text,
    upstream: proxy?.upstream,
    path: route?.path,
    email: route?.email,
    mode: route?.mode,
    when: route?.when,
  };
}

test('three questions on a terminal lead to a dry run that reads the form of the running app', async (t) => {
  const app = await openApp(t);
  const questions: string[] = [];
  const answers = [app, '/join', ''];
  const made = await run(t, {}, async (question) => {
    questions.push(question);
    return answers[questions.length - 1] ?? '';
  });
  t.is(made.code, 0);
  t.deepEqual(questions, [
    'The URL of the app [localhost:3000]: ',
    'The page with the signup form [/signup]: ',
    'The field of the form for the email [user[email]]: ',
  ]);
  t.like(made, { upstream: `http://${app}`, path: '/users', email: ['user[email]'], mode: 'monitor' });
  t.regex(made.out, /Found a form on \/join\. Browsers send it to \/users/);
  t.regex(made.out, /Next: npx gatekeeper serve, then sign up at http:\/\/127\.0\.0\.1:8000\/join/);
});

test('flags answer for scripts, and win over the form', async (t) => {
  const app = await openApp(t);
  const made = await run(t, {
    upstream: app,
    path: 'join',
    email: 'mail',
    listen: '0.0.0.0:80',
    config: 'other.yaml',
  });
  t.like(made, { code: 0, path: '/users', email: ['mail'] });
  t.regex(made.out, /gatekeeper serve --config other\.yaml/);
});

test('an app that does not answer, or has no form, gets the usual names', async (t) => {
  const silent = await run(t, { upstream: 'localhost:9' });
  t.like(silent, { code: 0, upstream: 'http://localhost:9', path: '/signup', email: ['email'] });
  t.regex(silent.out, /does not answer yet/);
  const scripted = await run(t, { upstream: await openApp(t, '<div id="root"></div>') });
  t.like(scripted, { code: 0, path: '/signup', email: ['email'] });
  t.regex(
    scripted.out,
    /Found no form on \/signup \(status 200\)\. If a script sends the signup, write [^\n]* in gatekeeper\.yaml\./,
  );
});

test('on a path with several forms, only requests with the email are judged', async (t) => {
  const form = '<form method="post" action="/?do=join"><input type="email" name="user[email]"></form>';
  const found = await run(t, { upstream: await openApp(t, form), path: '/?do=join' });
  t.like(found, { code: 0, path: '/', when: { 'user[email]': { exists: true } } });
  const silent = await run(t, { upstream: 'localhost:9', path: '/login.php?do=join', email: 'mail' });
  t.like(silent, { code: 0, path: '/login.php', when: { mail: { exists: true } } });
  t.is(Object.keys((await run(t, { upstream: await openApp(t) })).when ?? {}).length, 0);
});

test('a file that is there is never overwritten', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'gatekeeper.yaml'), 'workers: 1\n');
  const made = await run(t, { upstream: 'localhost:9' }, null, folder);
  t.is(made.code, 1);
  t.is(made.text, 'workers: 1\n');
  t.regex(made.err, /gatekeeper\.yaml already exists/);
});

test('a folder that is missing is named, and nothing is written', async (t) => {
  const made = await run(t, { upstream: 'localhost:9', config: 'none/gatekeeper.yaml' });
  t.like(made, { code: 2, text: null });
  t.regex(made.err, /none\/gatekeeper\.yaml cannot be written: its folder does not exist/);
});

test('without a terminal and without an app, or with answers that no file may have, nothing is written', async (t) => {
  const nothing = await run(t, {});
  t.like(nothing, { code: 1, text: null });
  t.regex(nothing.err, /name the app: npx gatekeeper init --upstream/);
  t.like(await run(t, { upstream: 'ftp://x' }), { code: 1, text: null });
  t.like(await run(t, { upstream: 'localhost:9', email: 'a..b' }), { code: 1, text: null });
  t.like(await run(t, { upstream: 'localhost:9', path: '/a\nmode: enforce' }), { code: 1, text: null });
});

test('a person who types no address three times gets no file', async (t) => {
  t.like(await run(t, {}, async () => 'ftp://x'), { code: 1, text: null });
});
