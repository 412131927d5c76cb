import test from 'ava';
import { openDroppedAnswer } from '../../src/http/dropped-answer.ts';

test('a long answer is dropped at the speed of the app', async (t) => {
  const { response } = openDroppedAnswer();
  response.writeHead(200, []);
  let waits = 0;
  for (let i = 0; i < 10; i++) {
    if (response.write(Buffer.alloc(50_000))) continue;
    waits++;
    await new Promise((resolve) => response.once('drain', resolve));
  }
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  response.end();
  await closed;
  t.true(waits > 0);
});
