import test from 'ava';
import { confirm, heldAt, openMailGate } from './mail-gate.ts';

for (const method of ['PUT', 'DELETE']) {
  test(`a signup by ${method} is never sent twice, judged or held, when its reused connection ends`, async (t) => {
    const seen: string[] = [];
    const gate = await openMailGate(t, {
      route: { methods: null },
      app(request, response) {
        seen.push(request.method ?? '');
        if (request.method === 'GET') response.end('ok');
        else request.socket.destroy();
      },
    });
    const signUp = async (email: string) =>
      fetch(`${gate.url}/signup`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
    const openConnection = async () => (await fetch(gate.url)).text();

    await openConnection();
    t.is((await signUp('low@example.com')).status, 502);
    t.deepEqual(seen.splice(0), ['GET', method]);

    const path = await heldAt(await signUp('medium@example.com'));
    const [mail] = await gate.mailbox.received(1);
    await openConnection();
    t.is((await confirm(gate, path, mail?.code ?? '')).status, 502);
    t.deepEqual(seen, ['GET', method]);
  });
}
