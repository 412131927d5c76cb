import test from 'ava';
import { createProgressBar } from '../../src/cli/progress-bar.ts';

test('the bar is drawn once for each percent and removed at the end', (t) => {
  const drawn: string[] = [];
  const bar = createProgressBar('judging', (text) => drawn.push(text));
  for (let done = 0; done <= 10_000; done++) bar.show(done, 10_000);
  t.is(drawn.length, 101);
  t.regex(drawn[50] ?? '', /judging █{15}░{15} 50 %$/);
  bar.end();
  t.is(drawn.at(-1), '\r\x1b[2K');
});

test('without a terminal nothing is drawn and nothing is removed', (t) => {
  createProgressBar('judging', null).show(1, 2);
  const drawn: string[] = [];
  createProgressBar('judging', (text) => drawn.push(text)).end();
  t.deepEqual(drawn, []);
});
