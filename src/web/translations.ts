import { readFileSync } from 'node:fs';
import { type Language, listLanguages, ORIGINAL_LANGUAGE, TRANSLATIONS_FOLDER } from './languages.ts';
import type { Translation } from './translation.ts';

/** A text of pages or mails that a translation and the operator can write. */
export interface NamedText {
  readonly name: string;
  /** As `placeholdersIn` returns them. */
  readonly placeholders: string;
}

type Translations = Readonly<Record<Language, Translation>>;

/** The dashboard belongs to Gatekeeper, not to the site of the operator. */
const OF_DASHBOARD: keyof Translation = 'accountMails';

let translations: Translations | null = null;

/** The texts in a language; in English when the language is not known, for example because its file was removed. */
export function translationIn(language: Language): Translation {
  const known = loadTranslations();
  return (Object.hasOwn(known, language) ? known[language] : known[ORIGINAL_LANGUAGE]) as Translation;
}

/**
 * Reads all translations once, at the start, so that an error in a file stops the start.
 *
 * @throws Error that names every invalid file and text.
 */
export function loadTranslations(): Translations {
  translations ??= readTranslations(TRANSLATIONS_FOLDER);
  return translations;
}

/**
 * Reads `en.json` and its translations. Each must have the texts of the English file, with the same placeholders.
 *
 * @throws Error as `loadTranslations` does.
 */
export function readTranslations(folder: URL): Translations {
  const files = listLanguages(folder).map((language) => ({ language, content: readJson(folder, language) }));
  const issues = files.flatMap(({ language, content }) =>
    compareTexts(files[0]?.content, content).map((issue) => `${language}.json: ${issue}`),
  );
  if (issues.length > 0) {
    throw new Error(`The translations in ${folder.pathname} cannot be used:\n${issues.join('\n')}`);
  }
  return Object.fromEntries(files.map(({ language, content }) => [language, content])) as Translations;
}

function readJson(folder: URL, language: Language): unknown {
  const file = new URL(`${language}.json`, folder);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The translation ${file.pathname} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** @returns the errors of a translation, each with the name of the text: `verificationMail.subject is missing`. */
function compareTexts(english: unknown, translated: unknown, name = ''): string[] {
  if (typeof english === 'string') return compareText(english, translated, name);
  if (!isGroup(english) || !isGroup(translated)) return [`${name || 'the file'} must be a group of texts`];
  const nameOf = (key: string) => (name === '' ? key : `${name}.${key}`);
  const unknown = Object.keys(translated).filter((key) => !Object.hasOwn(english, key));
  return [
    ...unknown.map((key) => `${nameOf(key)} is not a known text`),
    ...Object.entries(english).flatMap(([key, text]) => compareTexts(text, translated[key], nameOf(key))),
  ];
}

function compareText(english: string, translated: unknown, name: string): string[] {
  if (typeof translated !== 'string' || translated.trim() === '') return [`${name} is missing`];
  const [wanted, found] = [placeholdersIn(english), placeholdersIn(translated)];
  return wanted === found
    ? []
    : [`${name} must have the placeholders ${wanted || '(none)'}, not ${found || '(none)'}`];
}

/** The placeholders of a text, each once, in order: `{minutes} {site}`. */
function placeholdersIn(text: string): string {
  return [...new Set(text.match(/\{\w*\}/g))].sort().join(' ');
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All texts that `site.texts` can change, by their full names, such as `blockPage.heading`, with their placeholders. */
export function listTexts(): readonly NamedText[] {
  const groups = Object.entries(translationIn(ORIGINAL_LANGUAGE));
  return namedTexts(Object.fromEntries(groups.filter(([name]) => name !== OF_DASHBOARD)));
}

function namedTexts(group: object, name = ''): readonly NamedText[] {
  return Object.entries(group).flatMap(([key, value]): readonly NamedText[] =>
    typeof value === 'string'
      ? [{ name: `${name}${key}`, placeholders: placeholdersIn(value) }]
      : namedTexts(value, `${name}${key}.`),
  );
}

/** A copy of the texts in which each text is changed by a function. */
export function mapTexts(texts: Translation, change: (text: string, name: string) => string): Translation {
  const copy = (group: object, name: string): object =>
    Object.fromEntries(
      Object.entries(group).map(([key, value]) => [
        key,
        typeof value === 'string' ? change(value, `${name}${key}`) : copy(value, `${name}${key}.`),
      ]),
    );
  return copy(texts, '') as Translation;
}
