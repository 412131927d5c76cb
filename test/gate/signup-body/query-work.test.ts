import test from 'ava';
import { MANY_COMPARISONS, SHORT_NAMES, SIGNUP, targetOf } from './query-work.ts';
import { measureWork } from './work-budget.contract.ts';

test('a query of names with several readings is refused where each is compared many times', async (t) => {
  const known = MANY_COMPARISONS['places and conditions'];
  if (!known) return t.fail();
  for (const name of SHORT_NAMES.filter((one) => !/^a/.test(one))) {
    const { outcome } = await measureWork(SIGNUP, known, { target: targetOf(name) });
    t.is(outcome, 400, name);
  }
  // As many as a long form of a real app has.
  const honest = Array.from({ length: 40 }, (_, i) => `user['field_${i}']=1&pr%C3%A9nom_${i}=1`).join('&');
  const { outcome } = await measureWork(SIGNUP, known, { target: `/signup?step=2&${honest}` });
  t.is(outcome, 'read');
});
