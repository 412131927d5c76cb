import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { MiddlewareOptions } from '../../../src/library/middleware-options.ts';
import { until } from '../../helpers/until.ts';
import { CHROME, nextHome, openGatekeeper } from '../library-server.ts';
import { type FrameworkApp, type Handled, openApp, sha256 } from './framework-app.ts';

/** What every framework does, wherever its parser runs. */
export function describeMiddleware(framework: FrameworkApp): void {
  for (const parser of framework.parsers) {
    const title = (text: string) => `${framework.name}, parser ${parser}: ${text}`;
    const open = (t: ExecutionContext, options: MiddlewareOptions = {}) =>
      openApp(t, { framework, parser, options });

    test(title('a signup reaches the handler once, with its decision'), async (t) => {
      const { post, handled, gatekeeper } = await open(t);
      t.is((await post({ email: 'jane.doe@gmail.com' })).status, 200);
      t.is(handled.length, 1);
      const { decision } = handled[0] as Handled;
      t.like(decision, { action: 'forward', wantedAction: 'forward', mode: 'enforce', riskLevel: 'low' });
      t.is(decision?.reasons.length, 4);
      // It is stored: on a slow disk, a moment later.
      await until(() => gatekeeper.feedback(decision?.requestId ?? '', 'legitimate'));
      t.is((await post(new URLSearchParams({ email: 'john.doe@gmail.com', name: 'ä b' }))).status, 200);
      if (parser !== 'none') t.is(handled[1]?.email, 'john.doe@gmail.com');
      t.is(handled[1]?.decision?.action, 'forward');
    });

    test(title('a refused signup does not reach the handler, and its sender is not told why'), async (t) => {
      const { post, handled } = await open(t);
      const problem = await post({ email: 'jane@mailinator.com' });
      const text = await problem.text();
      t.is(problem.status, 403);
      t.regex(problem.headers.get('content-type') ?? '', /^application\/problem\+json/);
      t.is((JSON.parse(text) as { code: string }).code, 'signup_refused');
      t.notRegex(text, /disposable|trust|score|reason/);
      const page = await post(new URLSearchParams({ email: 'jane@mailinator.com' }), { accept: 'text/html' });
      t.is(page.status, 403);
      t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
      t.regex(await page.text(), /<h1>/);
      t.deepEqual(handled, []);
    });

    test(title('the actions are those of the options'), async (t) => {
      const { post, handled } = await open(t, { onLow: 'verify', onHigh: 'forward' });
      t.is((await post({ email: 'jane.doe@gmail.com' })).status, 200);
      t.is((await post({ email: 'jane@mailinator.com' })).status, 200);
      t.like(handled[0]?.decision, { action: 'verify', riskLevel: 'low' });
      t.like(handled[1]?.decision, { action: 'forward', riskLevel: 'high' });
    });

    test(title('monitor mode lets every signup through and says what enforce mode would do'), async (t) => {
      const { post, handled } = await open(t, { mode: 'monitor' });
      t.is((await post({ email: 'jane@mailinator.com' })).status, 200);
      t.like(handled[0]?.decision, { action: 'forward', wantedAction: 'block', mode: 'monitor' });
      await post(new URLSearchParams('email=jane@gmail.com&email=jane@mailinator.com'));
      t.like(handled[1]?.decision, {
        ...{ action: 'forward', wantedAction: 'block', trustScore: null },
        ...{ riskLevel: null, degraded: true },
      });
    });

    test(title('a form with two emails is refused, whichever would be used'), async (t) => {
      const { post, handled } = await open(t);
      for (const body of [
        'email=jane.doe@gmail.com&email=jane@mailinator.com',
        'email=jane.doe@gmail.com&Email=jane@mailinator.com',
        'email[]=jane.doe@gmail.com&email[]=jane@mailinator.com',
      ])
        t.is((await post(new URLSearchParams(body))).status, 400, body);
      t.is((await post({ email: ['jane.doe@gmail.com'] })).status, 400);
      t.is((await post({ email: 'jane.doe@gmail.com', EMAIL: 'jane@mailinator.com' })).status, 400);
      t.deepEqual(handled, []);
    });

    test(title('JSON with a duplicate key is judged by what the handler sees, or refused'), async (t) => {
      const { post, handled } = await open(t);
      const body = '{"email": "jane.doe@gmail.com", "email": "jane@mailinator.com"}';
      const { status } = await post(body, { 'content-type': 'application/json' });
      t.true(status === 400 || (status === 403 && parser === 'before'));
      t.deepEqual(handled, []);
    });

    test(title('no body, no email, and a body of another type are refused'), async (t) => {
      const { post, handled } = await open(t);
      t.true([400, 415].includes((await post('')).status));
      for (const body of [{}, { mail: 'jane.doe@gmail.com' }]) t.is((await post(body)).status, 403);
      t.true([400, 415].includes((await post('email=a@gmail.com', { 'content-type': 'text/plain' })).status));
      for (const body of ['{"email": ', 'null', 'false', '0', '"a@gmail.com"'])
        t.is((await post(body, { 'content-type': 'application/json' })).status, 400, body);
      t.deepEqual(handled, []);
    });

    test(title('a request without a body of another method is not a signup'), async (t) => {
      const { url, handled } = await open(t);
      for (const method of ['GET', 'HEAD', 'DELETE'])
        t.is((await fetch(`${url}/signup`, { method })).status, 200, method);
      t.deepEqual(
        handled.map(({ decision }) => decision),
        [undefined, undefined, undefined],
      );
    });

    test(title('a PUT with an email is a signup'), async (t) => {
      const { url, handled } = await open(t);
      const { status } = await fetch(`${url}/signup`, {
        method: 'PUT',
        headers: { ...CHROME, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'jane@mailinator.com' }),
      });
      t.is(status, 403);
      t.deepEqual(handled, []);
    });

    test(title('forty signups at once each get their own decision'), async (t) => {
      const { post, handled } = await open(t);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          post({ email: i % 2 === 0 ? `at.once.${i}@gmail.com` : `at.once.${i}@mailinator.com` }),
        ),
      );
      t.deepEqual(
        answers.map(({ status }) => status),
        answers.map((_, i) => (i % 2 === 0 ? 200 : 403)),
      );
      t.is(new Set(handled.map(({ decision }) => decision?.requestId)).size, 20);
    });

    test(title('the sender counts by its own address only behind a trusted proxy'), async (t) => {
      const gatekeeper = await openGatekeeper(t, { lists: { deny: ['203.0.113.7'] }, ...QUIET });
      const denied = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
      const unknown = await openApp(t, { framework, parser, gatekeeper, options: { trustedProxies: [] } });
      t.is((await unknown.post({ email: 'jane.doe@gmail.com' }, denied)).status, 200);
      const behindProxy = await openApp(t, { framework, parser, gatekeeper, options: {} });
      t.is((await behindProxy.post({ email: 'jane.doe@gmail.com' }, denied)).status, 403);
      const named = { framework, parser, gatekeeper, options: { clientIpHeader: 'X-Real-IP' } };
      const realIp = await openApp(t, named);
      const { status } = await realIp.post({ email: 'jane.doe@gmail.com' }, { 'x-real-ip': '203.0.113.7' });
      t.is(status, 403);
    });

    test(
      title('a handler that throws is answered by the framework, and the next signup works'),
      async (t) => {
        const { post, handled } = await open(t);
        t.is((await post({ email: 'jane.doe@gmail.com' }, { 'x-throw': 'yes' })).status, 500);
        t.is((await post({ email: 'john.doe@gmail.com' })).status, 200);
        t.is(handled.length, 1);
      },
    );

    test(title('after close, onError decides'), async (t) => {
      const lenient = await open(t);
      await lenient.gatekeeper.close();
      t.is((await lenient.post({ email: 'jane@mailinator.com' })).status, 200);
      t.like(lenient.handled[0]?.decision, {
        action: 'forward',
        degraded: true,
        trustScore: null,
        reasons: [],
      });
      const strict = await open(t, { onError: 'block' });
      await strict.gatekeeper.close();
      t.is((await strict.post({ email: 'jane.doe@gmail.com' })).status, 403);
      t.is((await fetch(`${strict.url}/signup`)).status, 200, 'the page of the form');
      strict.handled.pop();
      t.deepEqual(strict.handled, []);
    });

    test(title('a sender that leaves in the middle of its body reaches no handler'), async (t) => {
      const { url, post, handled, gatekeeper } = await open(t);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      t.teardown(() => socket.destroy());
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      const head =
        'POST /signup HTTP/1.1\r\nHost: x\r\nX-Ignore: yes\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n';
      await new Promise((resolve) => socket.write(`${head}{"email": "jane`, resolve));
      t.is((await post({ email: 'jane.doe@gmail.com' })).status, 200);
      socket.destroy();
      t.is((await post({ email: 'john.doe@gmail.com' })).status, 200);
      // This waits for everything that is being judged: the request without an end is one of it.
      await gatekeeper.close();
      await new Promise((resolve) => setImmediate(resolve));
      t.is(handled.length, 2);
    });

    if (parser !== 'before') {
      test(title('a body over the limit is refused, also without a length'), async (t) => {
        const { post, url, handled } = await open(t, { maxBody: 1_000 });
        const refused = await post({ email: 'jane.doe@gmail.com', note: 'x'.repeat(2_000) });
        t.is(refused.status, 413);
        t.is(refused.headers.get('connection'), 'close');
        const chunked = new Blob([JSON.stringify({ email: 'jane.doe@gmail.com', note: 'x'.repeat(9_000) })]);
        const { status } = await fetch(`${url}/signup`, {
          method: 'POST',
          headers: { ...CHROME, 'content-type': 'application/json' },
          body: chunked.stream(),
          duplex: 'half',
        } as RequestInit);
        t.is(status, 413);
        t.deepEqual(handled, []);
      });

      test(title('a long body in many pieces reaches the parser or handler unchanged'), async (t) => {
        const { url, handled } = await open(t);
        const body = JSON.stringify({ email: 'jane.doe@gmail.com', note: 'ä€ '.repeat(15_000) });
        const bytes = Buffer.from(body);
        let sent = 0;
        const pieces = new ReadableStream({
          pull(controller) {
            controller.enqueue(bytes.subarray(sent, sent + 7_001));
            sent += 7_001;
            if (sent >= bytes.length) controller.close();
          },
        });
        const { status } = await fetch(`${url}/signup`, {
          method: 'POST',
          headers: { ...CHROME, 'content-type': 'application/json', 'x-forwarded-for': nextHome() },
          body: pieces,
          duplex: 'half',
        } as RequestInit);
        t.is(status, 200);
        t.is(handled[0]?.decision?.action, 'forward');
        if (parser === 'none') t.is(handled[0]?.sha256, sha256(bytes));
        else t.is(handled[0]?.email, 'jane.doe@gmail.com');
      });

      test(title('a connection goes on after a signup whose body the handler did not read'), async (t) => {
        const { url, handled } = await open(t);
        const body = JSON.stringify({ email: 'jane.doe@gmail.com', note: 'x'.repeat(90_000) });
        const head = `POST /signup HTTP/1.1\r\nHost: x\r\nX-Ignore: yes\r\nX-Forwarded-For: ${nextHome()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        t.teardown(() => socket.destroy());
        let answers = '';
        socket.setEncoding('utf8').on('data', (text: string) => {
          answers += text;
        });
        for (let count = 1; count <= 3; count++) {
          socket.write(head + body);
          await until(() => answers.split('HTTP/1.1 200').length === count + 1);
        }
        t.is(handled.length, 3);
      });
    }
  }
}

const QUIET = { log: { level: 'silent' }, scoring: { dns: { enabled: false } } };
