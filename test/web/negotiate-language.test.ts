import test from 'ava';
import fc from 'fast-check';
import { negotiateLanguage } from '../../src/web/negotiate-language.ts';

const offered = ['en', 'de', 'pt', 'ja'] as const;

for (const [accepted, language] of [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH', 'de'],
  ['PT-br', 'pt'],
  ['fr, ja;q=0.5', 'ja'],
  ['de;q=0.5, ja;q=0.9', 'ja'],
  ['ja ; q=0.8 , de ; q=0.8', 'ja'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  ['ja;q=0.1, *;q=0.5', 'en'],
  ['de;q=2', 'en'],
  ['deu', 'en'],
  ['zh;q=1, de;level=1;q=0.2', 'de'],
] as const) {
  test(`Accept-Language ${accepted ?? 'left out'} is answered in ${language}`, (t) => {
    t.is(negotiateLanguage(accepted, offered), language);
  });
}

test('for any header the answer is an offered language', (t) => {
  fc.assert(
    fc.property(fc.string(), (accepted) => {
      t.true(offered.includes(negotiateLanguage(accepted, offered)));
    }),
  );
});
