import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import english from '../../data/translations/en.json' with { type: 'json' };
import { LANGUAGES } from '../../src/web/languages.ts';
import type { Translation } from '../../src/web/translation.ts';
import { loadTranslations, readTranslations, translationIn } from '../../src/web/translations.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

// Checked by the compiler: the English file has all texts of the type, and no others.
const typed: Translation = english;
const asFile: typeof english = typed;

const FOLDER = new URL('../../data/translations/', import.meta.url);

/** The texts of a translation by their full names. */
function textsOf(group: object, name = ''): [name: string, text: string][] {
  return Object.entries(group).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${name}${key}`, value] as [string, string]]
      : textsOf(value, `${name}${key}.`),
  );
}

/** Reads a copy of the translations in which the text of one file was changed. */
function readChanged(t: ExecutionContext, file: string, change: (text: string) => string) {
  const folder = temporaryFolder(t);
  cpSync(FOLDER, folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  return readTranslations(pathToFileURL(`${folder}/`));
}

test('every translation has the texts of the English one, with the same placeholders', (t) => {
  t.deepEqual(Object.keys(loadTranslations()), [...LANGUAGES]);
  t.deepEqual(translationIn('en'), asFile);
});

test('no translation leaves a text in English', (t) => {
  const inEnglish = new Map(textsOf(english));
  for (const language of LANGUAGES.slice(1)) {
    const texts = textsOf(translationIn(language));
    t.is(texts.length, inEnglish.size);
    t.deepEqual(
      texts.filter(([name, text]) => inEnglish.get(name) === text),
      [],
      language,
    );
  }
});

for (const [title, change, message] of [
  [
    'lacks a text',
    (text: string) => text.replace('"codeTitle"', '"codeTitel"'),
    /de\.json: verificationPages\.codeTitel is not a known text\nde\.json: verificationPages\.codeTitle is missing/,
  ],
  [
    'misspells a placeholder',
    (text: string) => text.replace('{minutes}', '{minuten}'),
    /de\.json: verificationPages\.timeLeft must have the placeholders \{minutes\}, not \{minuten\}/,
  ],
  [
    'has an empty text',
    (text: string) => text.replace(/"codeHint": ".*?"/, '"codeHint": " "'),
    /de\.json: verificationPages\.codeHint is missing/,
  ],
  ['has a text in place of a group', () => '"Hallo"', /de\.json: the file must be a group of texts/],
  ['is not JSON', (text: string) => text.replace(',', ''), /de\.json cannot be read: .*JSON/],
] as const) {
  test(`a translation that ${title} is refused with the name of what is wrong`, (t) => {
    t.throws(() => readChanged(t, 'de.json', change), { message });
  });
}
