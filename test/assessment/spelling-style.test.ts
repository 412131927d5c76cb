import test from 'ava';
import fc from 'fast-check';
import {
  domainStyle,
  exampleOfStyle,
  spellingStyle,
  traitOfStyle,
} from '../../src/assessment/spelling-style.ts';
import { anyCharacter } from '../helpers/any-character.ts';
import { rounds } from '../helpers/rounds.ts';

const STYLES: Readonly<Record<string, string>> = {
  'anna.weber': 'n.n',
  'Anna.Weber': 'n.n',
  'ansgar.przybylski': 'n.n',
  'j.smith': 'l.n',
  jsmith: 'ln',
  annaweber: 'nn',
  annaweber1984: 'nny',
  mueller_petra77: 'n_nd2',
  sunnyriver42: 'od2',
  abc123: 'sd3',
  k3j9x0q2: 'mix',
  k3j9x0: 'mix-',
  k3j9x0q2w7b5t: 'mix+',
  qxkzrvwpjt: 'mix',
  '0123456789': 'd5',
  'anna+news': 'n',
  иван: 'u',
  'иван.7': 'u.d1',
  a: 'l',
};

for (const [spelled, style] of Object.entries(STYLES)) {
  test(`${spelled} has the style ${style}`, (t) => {
    t.is(spellingStyle(spelled), style);
  });
}

test('nearly all random texts of letters and digits have the style of random texts', (t) => {
  const random = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 8,
    maxLength: 12,
  });
  const texts = fc.sample(random, { numRuns: 2_000, seed: 7 });
  const noticed = texts.filter((text) => spellingStyle(text).startsWith('mix')).length;
  t.true(noticed >= 0.9 * texts.length, `${noticed} of ${texts.length}`);
});

test('the style of a domain keeps its suffix', (t) => {
  t.is(domainStyle('sunny-river.co.uk'), '@n-n.co.uk');
  t.is(domainStyle('k3j9x0q2.xyz'), '@mix.xyz');
  t.is(exampleOfStyle('@o-o.co.uk'), '@word-word.co.uk');
});

test('an example of a style has that style', (t) => {
  for (const style of ['n.n', 'sd3', 'mix', 'mix-', 'mix+', 'd5', 'l.ny', 'n_nd2', 'u.d1']) {
    const example = exampleOfStyle(style).replaceAll('name', 'anna');
    t.is(spellingStyle(example), style, example);
  }
});

test('any text has a short style of letters that the example understands', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 256 }), (text) => {
        const style = spellingStyle(text);
        return style.length <= 12 && /^[a-z0-9._+-]*$/.test(style) && exampleOfStyle(style).length <= 60;
      }),
      { numRuns: rounds(2_000) },
    ),
  );
});

test('styles of mail servers and intervals are said in words', (t) => {
  t.is(exampleOfStyle('mx:post-relay.net'), 'a domain with mail at post-relay.net');
  t.is(exampleOfStyle('interval'), 'one signup every minute');
  t.is(traitOfStyle('mx:post-relay.net'), 'new domains with mail at post-relay.net');
  t.is(traitOfStyle('interval'), 'equal intervals between them');
  t.is(traitOfStyle('n.n'), 'mailboxes such as name.name');
});
