import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';

const DEMO = fileURLToPath(new URL('../../demo/main.ts', import.meta.url));
const PORTS = ['DEMO_SHOP_PORT', 'DEMO_GATE_PORT', 'DEMO_API_PORT', 'DEMO_DASHBOARD_PORT'] as const;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function startDemo(t: ExecutionContext) {
  const ports = Object.fromEntries(
    await Promise.all(PORTS.map(async (name) => [name, await freePort()] as const)),
  ) as Record<(typeof PORTS)[number], number>;
  const env = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), DEMO], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('The dashboard is at')) resolve();
      });
    }
    ended.then(() => reject(new Error(`the demo ended:\n${output}`)), reject);
  });
  const stop = async () => {
    child.kill('SIGINT');
    return (await ended)[0];
  };
  return {
    shop: `http://127.0.0.1:${ports.DEMO_GATE_PORT}`,
    dashboard: `http://127.0.0.1:${ports.DEMO_DASHBOARD_PORT}`,
    stop,
  };
}

(CHROMIUM === null ? test.skip : test)(
  'in the demo, a visitor is let in, another refused, and a third verifies with the mail that the mailbox shows',
  async (t) => {
    const { shop, dashboard, stop } = await startDemo(t);
    const browser = await openBrowser(t);
    const context = await browser.newContext({
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    });
    const page = await context.newPage();
    const signUp = async (email: string) => {
      await page.goto(shop);
      await page.getByLabel('Name').fill('Jane');
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Sign up' }).click();
    };

    await signUp('jane@mailinator.com');
    await page.getByText('We could not complete your sign-up').waitFor();

    await signUp('jane.doe@gamil.com');
    await page.getByLabel('Code').waitFor();
    const mailbox = await context.newPage();
    await mailbox.goto(`${dashboard}/mailbox`);
    const [code = ''] = /\d{6}/.exec((await mailbox.textContent('article')) ?? '') ?? [];
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Welcome, Jane').waitFor();

    await page.goto(shop);
    await page.getByRole('button', { name: 'A person at home' }).click();
    await page.getByText('ada.lovelace').waitFor();
    const rows = await page.locator('table tr').allTextContents();
    t.is(rows.length, 3);
    t.regex(rows.join('\n'), /jane\.doe@gamil\.com\d+mediumyes/);
    t.notRegex(rows.join('\n'), /mailinator/);
    t.is(await stop(), 0);
  },
);
