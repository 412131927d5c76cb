import test from 'ava';
import fc from 'fast-check';
import { REASONS } from '../../../src/assessment/reasons.ts';
import { ASSUMED_SHARE, weighDomain } from '../../../src/processors/email/domain-suspicion.ts';

const nothing = { name: null, letters: 1, isListed: false, isUnderHost: false };
const pointsOf = (strength: number) => Math.round(strength * REASONS.suspicious_domain.points);

test('without evidence the probability is the assumed share', (t) => {
  const { probability, parts } = weighDomain(nothing);
  t.true(Math.abs(probability - ASSUMED_SHARE) < 1e-9);
  t.deepEqual(parts, {});
});

test('the parts add up to the odds of the probability', (t) => {
  const { probability, parts } = weighDomain({ name: 2, letters: 1, isListed: true, isUnderHost: true });
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  const odds = (share: number) => Math.log(share / (1 - share));
  t.true(Math.abs(odds(probability) - odds(ASSUMED_SHARE) - sum) < 1e-9);
});

test('a doubtful domain takes few points and a likely one enough for a verification', (t) => {
  t.is(pointsOf(weighDomain({ ...nothing, name: 2.2 }).strength), 30);
  t.is(pointsOf(weighDomain({ ...nothing, name: 4.6 }).strength), 60);
  t.is(pointsOf(weighDomain({ ...nothing, name: null, isListed: true }).strength), 60);
});

test('a suffix alone makes a domain at most as likely as not, and odd letters or a list more', (t) => {
  for (const letters of [-1, 0, null]) {
    const bySuffix = weighDomain({ ...nothing, name: 7, letters });
    t.true(bySuffix.probability < 0.5 + 1e-9);
    t.is(pointsOf(bySuffix.strength), 30);
    t.is(pointsOf(weighDomain({ ...nothing, name: 7, letters, isListed: true }).strength), 60);
  }
  t.is(pointsOf(weighDomain({ ...nothing, name: 7, letters: 1 }).strength), 60);
});

test('an ordinary name speaks for a domain that one wide list contains', (t) => {
  const alone = weighDomain({ ...nothing, isListed: true });
  const ordinary = weighDomain({ ...nothing, name: -1.5, isListed: true });
  t.true(ordinary.probability < alone.probability);
  t.true(pointsOf(ordinary.strength) < 56);
});

test('more evidence never makes a domain less suspicious, and the points stay within 30 and 60', (t) => {
  const name = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(name, fc.double({ min: 0, max: 5, noNaN: true }), fc.boolean(), (ratio, more, isListed) => {
      const letters = 1;
      const less = weighDomain({ name: ratio, letters, isListed, isUnderHost: false });
      for (const stronger of [
        weighDomain({ name: ratio + more, letters, isListed, isUnderHost: false }),
        weighDomain({ name: ratio, letters, isListed: true, isUnderHost: false }),
        weighDomain({ name: ratio, letters, isListed, isUnderHost: true }),
      ]) {
        t.true(stronger.probability >= less.probability);
        t.true(stronger.strength >= less.strength);
        t.true(pointsOf(stronger.strength) >= 30 && pointsOf(stronger.strength) <= 60);
      }
    }),
  );
});
