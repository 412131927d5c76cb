import limitedTest from '../../../scripts/run-tests/limited-test.ts';

for (const number of [1, 2, 3, 4, 5]) {
  limitedTest(
    `a function that a test gets runs within the turn of the test: ${number}`,
    async (t, answer: () => Promise<number>) => {
      t.is(await answer(), number);
    },
    async () => number,
  );
}
