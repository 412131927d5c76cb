import test from 'ava';
import { BROWSER, openMailGate } from './mail-gate.ts';

test('records that another process keeps busy are no reason to let a signup through', async (t) => {
  const gate = await openMailGate(t, { recordWithinMs: 250, route: { on_error: 'forward' } });
  const free = await gate.keepRecordsBusy();
  const [response, page] = await Promise.all([
    gate.signUp('medium@example.com'),
    gate.signUp('medium@example.com', BROWSER),
  ]);
  free();
  t.is(response.status, 503);
  t.is(response.headers.get('retry-after'), '60');
  t.is(page.status, 503);
  t.regex(await page.text(), /<h1>Please try again in a moment<\/h1>/);
  t.is(gate.upstream.connections, 0);
});
