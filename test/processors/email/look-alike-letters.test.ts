import test from 'ava';
import { hasLookAlikeLetters } from '../../../src/processors/email/domain-verdict.ts';

for (const [why, text, suffix] of [
  ['Cyrillic а among Latin letters', 'jаne', '.com'],
  ['Greek ο among Latin letters', 'gοοgle', '.com'],
  ['Cyrillic with Greek', 'иοн', '.com'],
  ['a Cyrillic word that reads as an ASCII one', 'аррӏе', '.com'],
  ['a Cyrillic word in a label of several', 'mail.роса', '.com'],
  ['full-width letters', 'ｊａｎｅ', '.com'],
  ['mathematical letters', '𝗷𝗮𝗻𝗲', '.com'],
] as const) {
  test(`${why} deceive`, (t) => {
    t.true(hasLookAlikeLetters(text, suffix));
  });
}

for (const [what, text, suffix] of [
  ['ASCII', 'jane.doe+x', '.com'],
  ['Latin with marks', 'élodie.müller', '.com'],
  ['Cyrillic', 'иван.петров', '.com'],
  ['Greek', 'γιώργος', '.gr'],
  ['a Cyrillic word of look-alikes at home', 'роса', '.ru'],
  ['a Cyrillic word of look-alikes under a Cyrillic suffix', 'роса', '.xn--p1ai'],
  ['Cyrillic beside Latin in separate words', 'иван.smith', '.com'],
  ['Japanese of three scripts', '用户さんカナ', '.jp'],
  ['Japanese beside Latin', 'taro太郎', '.jp'],
  ['Chinese', '用户', '.cn'],
  ['Korean', '사용자', '.kr'],
  ['Arabic', 'محمد', '.com'],
  ['Hindi', 'अजय', '.in'],
  ['an emoji', '👍', '.com'],
] as const) {
  test(`${what} is clean`, (t) => {
    t.false(hasLookAlikeLetters(text, suffix));
  });
}
