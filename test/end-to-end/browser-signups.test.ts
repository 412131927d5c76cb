import { randomBytes } from 'node:crypto';
import test from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { ORDINARY_EMAIL } from '../helpers/ordinary-signup.ts';

const PAGE = `<!doctype html><meta charset="%CHARSET%"><title>Sign up</title>
<form method="post" action="/signup?email=old.address%40corp.example" %ENCTYPE%>
<input name="email"><input name="name"><input name="password" type="password"><input type="hidden" name="from" value="/?a=1&amp;email=JANE.DOE%2Bnews%40corp.example">
<input name="topics" type="checkbox" value="a" checked><input name="topics" type="checkbox" value="b" checked><textarea name="bio">two
lines &amp; more; name=x</textarea>%FILE%<button>Go</button></form>`;
const FILE = '<input type="file" name="avatar">';
const MULTIPART = 'enctype="multipart/form-data"';

const PAGES: Readonly<Record<string, string>> = {
  '/urlencoded': PAGE.replace('%ENCTYPE%', '').replace('%FILE%', ''),
  '/multipart': PAGE.replace('%ENCTYPE%', MULTIPART).replace('%FILE%', ''),
  '/file': PAGE.replace('%ENCTYPE%', MULTIPART).replace('%FILE%', FILE),
  '/latin': PAGE.replace('%ENCTYPE%', MULTIPART).replace('%FILE%', FILE).replace('%CHARSET%', 'iso-8859-1'),
};

const testInBrowser = CHROMIUM === null ? test.skip : test;

testInBrowser('signups of a browser are judged with the right email, and none is refused', async (t) => {
  const gate = await openGateServer(t, {
    app: (request, response) => {
      const page = PAGES[request.url ?? ''] ?? 'welcome';
      const charset = request.url === '/latin' ? 'iso-8859-1' : 'utf-8';
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'Content-Type': `text/html; charset=${charset}`,
      });
      response.end(page.replace('%CHARSET%', charset));
    },
  });
  const browser = await openBrowser(t, { isJudged: true });
  const page = await browser.newPage();
  const statuses: (readonly [string, number | undefined])[] = [];
  for (const [path, size] of [
    ['/urlencoded', 0],
    ['/multipart', 0],
    ['/file', 0],
    ['/file', 5_000],
    ['/file', 2_500_000],
    ['/latin', 5_000],
  ] as const) {
    await page.goto(gate.url + path);
    await page.fill('[name=email]', ORDINARY_EMAIL);
    await page.fill('[name=name]', 'J\u00e9r\u00f4me');
    await page.fill('[name=password]', 'p&q=1;2+');
    if (size > 0) {
      const file = { name: 'name=ann & \u00e9mile.png', mimeType: 'image/png', buffer: randomBytes(size) };
      await page.setInputFiles('[name=avatar]', file);
    }
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.click('button'),
    ]);
    statuses.push([`${path} with a file of ${size}`, answer.status()]);
  }
  await page.goto(`${gate.url}/urlencoded`);
  const sent = await page.evaluate(async (email) => {
    const form = new FormData();
    form.append('email', email);
    form.append('avatar', new Blob(['x'.repeat(1_500_000)]), 'a.bin');
    const bodies = {
      FormData: form,
      URLSearchParams: new URLSearchParams({ email }),
      'JSON in a Blob': new Blob([JSON.stringify({ email })], { type: 'application/json' }),
    };
    const answers: [string, number][] = [];
    for (const [name, body] of Object.entries(bodies))
      answers.push([name, (await fetch('/signup', { method: 'POST', body })).status]);
    const headers = { 'Content-Type': 'application/json' };
    const json = await fetch('/signup', { method: 'POST', headers, body: JSON.stringify({ email }) });
    answers.push(['JSON', json.status]);
    navigator.sendBeacon('/signup', new URLSearchParams({ email }));
    return answers;
  }, ORDINARY_EMAIL);
  const all = [...statuses, ...sent];
  while (gate.upstream.requests.filter(({ method }) => method === 'POST').length < all.length + 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.deepEqual(
    all.filter(([, status]) => status !== 201),
    [],
  );
  const judged = gate.judged.filter(({ scope }) => scope === 'gate');
  t.is(judged.length, all.length + 1);
  t.true(judged.every(({ email }) => email.mailbox?.address === ORDINARY_EMAIL));
  t.log(`${judged.length} signups of a browser, 0 refused`);
});
