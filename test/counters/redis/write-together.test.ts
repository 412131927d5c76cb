import { Writable } from 'node:stream';
import test from 'ava';
import { createWriteTogether } from '../../../src/counters/redis/write-together.ts';

/** Notes what each system call would send. */
function openStream() {
  const sent: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      sent.push(String(text));
      done();
    },
    writev(chunks, done) {
      sent.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { stream, sent };
}

test('what is written in one turn is sent at once, also by promises', async (t) => {
  const { stream, sent } = openStream();
  const together = createWriteTogether(() => stream);
  const write = async (text: string) => {
    together();
    stream.write(text);
    await Promise.resolve();
    together();
    stream.write(text.toUpperCase());
  };
  await Promise.all([write('a'), write('b')]);
  t.deepEqual(sent, []);
  await new Promise(setImmediate);
  t.deepEqual(sent, ['abAB']);
  await write('c');
  await new Promise(setImmediate);
  t.deepEqual(sent, ['abAB', 'cC']);
});

test('a new connection in the same turn has its own stream, and none at all does no harm', async (t) => {
  const [old, fresh] = [openStream(), openStream()];
  let current: Writable | null = null;
  const together = createWriteTogether(() => current);
  t.notThrows(together);
  current = old.stream;
  together();
  old.stream.write('1');
  old.stream.destroy();
  current = fresh.stream;
  for (const text of ['2', '3']) {
    together();
    fresh.stream.write(text);
  }
  await new Promise(setImmediate);
  t.deepEqual([old.sent, fresh.sent], [[], ['23']]);
});
