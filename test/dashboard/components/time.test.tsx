import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { TimeSpan } from '../../../src/dashboard/components/time.tsx';

const timesOf = (from: number, to: number) =>
  renderToString(<TimeSpan from={from} to={to} />).match(/<time /g)?.length;

test('a span within a minute is one time, a longer span is two', (t) => {
  t.is(timesOf(0, 59_999), 1);
  t.is(timesOf(0, 60_000), 2);
});
