import test from 'ava';
import { startVerification } from './verification-server.ts';

test('the number of held signups is bounded', async (t) => {
  const server = await startVerification(t, { verification: { max_held: 3 } });
  const kinds = [];
  for (let i = 0; i < 5; i++) kinds.push((await server.hold(`p${i}@example.com`)).kind);
  t.deepEqual(kinds, ['held', 'held', 'held', 'full', 'full']);
});

test('padded signups from many addresses never use up the room of a normal form', async (t) => {
  const server = await startVerification(t, { verification: { max_held_size: 8_000_000 } });
  const body = Buffer.alloc(250_000, 'x');
  const kinds = new Set<string>();
  for (let address = 0; address < 22; address++) {
    for (let i = 0; i < 3; i++) {
      const { kind } = await server.hold(`p${address}-${i}@example.com`, { ip: `198.51.${address}.7`, body });
      kinds.add(kind);
    }
  }
  t.deepEqual([...kinds].sort(), ['full', 'held']);
  t.is((await server.hold('jane@example.com')).kind, 'held');
});

test('one sender that padded has no room, and the log says which of the two it was', async (t) => {
  const server = await startVerification(t, { verification: { max_held_size: 8_000_000 } });
  const body = Buffer.alloc(250_000, 'x');
  t.is((await server.hold('a@example.com', { body })).kind, 'held');
  t.deepEqual(await server.hold('b@example.com', { body }), { kind: 'full', retryAfterSeconds: 60 });
  t.is((await server.hold('c@example.com', { body, ip: '192.0.2.7' })).kind, 'held');
  t.regex(server.logLines.join(''), /its sender has used its share of the room/);
  t.notRegex(server.logLines.join(''), /max_held is reached/);
});

test('a padded signup over its mail budget gets the answer of the budget, even when the room is full', async (t) => {
  const server = await startVerification(t, {
    verification: { max_held: 1, mails_per_hour: { mailbox: 1, address: 20, site: 20 } },
  });
  t.is((await server.hold('jane@example.com')).kind, 'held');
  t.is((await server.hold('jane@example.com')).kind, 'too-many-mails');
  t.is((await server.hold('joe@example.com')).kind, 'full');
});
