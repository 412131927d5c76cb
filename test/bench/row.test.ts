import test from 'ava';
import { medianOf, type Row, type Verdict, verdictOn } from '../../bench/row.ts';

test('the median is the middle value, and of an even number the mean of the two in the middle', (t) => {
  t.is(medianOf([3, 1, 2]), 2);
  t.is(medianOf([10, 1, 2, 3]), 2.5);
  t.throws(() => medianOf([]), { message: /nothing/ });
});

const ratio: Row = {
  name: 'ratio',
  unit: '×',
  target: { bound: 'at_least', must: 1.3, aim: 1.7 },
  values: [],
  note: null,
};
const cost: Row = {
  name: 'cost',
  unit: 'µs',
  target: { bound: 'at_most', must: 30, aim: 12 },
  values: [],
  note: null,
};

const cases: readonly (readonly [Row, readonly number[], Verdict])[] = [
  [ratio, [1.7], 'aim'],
  [ratio, [1.69], 'must'],
  [ratio, [1.3], 'must'],
  [ratio, [1.29], 'UNDER MUST'],
  [ratio, [0.1, 1.8, 9], 'aim'],
  [cost, [12], 'aim'],
  [cost, [12.1], 'must'],
  [cost, [30], 'must'],
  [cost, [30.1], 'UNDER MUST'],
  [{ ...cost, target: null }, [99], null],
];
for (const [row, values, expected] of cases) {
  test(`a ${row.name} of ${values} ${row.target ? '' : 'without a target '}is judged: ${expected}`, (t) => {
    t.is(verdictOn({ ...row, values }), expected);
  });
}
