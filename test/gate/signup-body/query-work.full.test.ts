import test from 'ava';
import { ALLOWED_YARDS, MAX_YARDS, yardsOf } from '../yards.ts';
import { MANY_COMPARISONS, SHORT_NAMES, SIGNUP, targetOf } from './query-work.ts';
import { measureWork } from './work-budget.contract.ts';

// One after the other: the time is that of the process.
for (const [name, known] of Object.entries(MANY_COMPARISONS)) {
  test.serial(`no query of 16 KB costs more than the budget of a head: ${name}`, async (t) => {
    for (const short of SHORT_NAMES) {
      const target = targetOf(short);
      const yards = await yardsOf(() => measureWork(SIGNUP, known, { target }), MAX_YARDS);
      t.true(yards <= ALLOWED_YARDS, `${short}: ${yards.toFixed(1)}`);
      t.log(`${short}: ${yards.toFixed(1)} yards`);
    }
  });
}
