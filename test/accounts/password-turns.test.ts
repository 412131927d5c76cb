import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { createPasswordTurns } from '../../src/accounts/password-turns.ts';

/** Turns of work that ends when the test says so. */
function setUp(atOnce = 1) {
  const inTurn = createPasswordTurns(atOnce);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, origin: string, isKnown = false) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    };
    inTurn({ origin, isKnown }, work).catch((error: unknown) => {
      if (error instanceof AccountError && error.code === 'busy') refused.push(name);
    });
  };
  const endNext = async () => {
    ends.shift()?.();
    await settled();
  };
  return { begun, refused, ask, endNext };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('so many run at once, and the next begins when one ends', async (t) => {
  const { begun, ask, endNext } = setUp(2);
  for (const name of ['one', 'two', 'three']) ask(name, 'home');
  await settled();
  t.deepEqual(begun, ['one', 'two']);
  await endNext();
  t.deepEqual(begun, ['one', 'two', 'three']);
});

test('addresses take turns: one guess does not wait for the flood of another address', async (t) => {
  const { begun, ask, endNext } = setUp();
  for (let i = 0; i < 10; i++) ask(`flood ${i}`, 'flood');
  ask('jane', 'home');
  for (let i = 0; i < 2; i++) await endNext();
  t.deepEqual(begun, ['flood 0', 'flood 1', 'jane']);
});

test('when too many wait, the address with most of them loses its newest, and all others get their turn', async (t) => {
  const { begun, refused, ask, endNext } = setUp();
  for (let i = 0; i < 34; i++) ask(`flood ${i}`, 'flood');
  await settled();
  t.deepEqual(refused, ['flood 33'], 'one runs and 32 wait');
  ask('jane', 'home');
  await settled();
  t.deepEqual(refused, ['flood 33', 'flood 32']);
  for (let i = 0; i < 40; i++) await endNext();
  t.is(begun.length, 33);
  t.true(begun.includes('jane'));
});

test('when too many addresses wait, a new one is refused, and a known browser is not', async (t) => {
  const { begun, refused, ask, endNext } = setUp();
  for (let i = 0; i < 33; i++) ask(`guess ${i}`, `address ${i}`);
  ask('stranger', 'elsewhere');
  ask('owner', 'elsewhere', true);
  await settled();
  t.deepEqual(refused, ['stranger']);
  await endNext();
  t.deepEqual(begun, ['guess 0', 'owner']);
});
