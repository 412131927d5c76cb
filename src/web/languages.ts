import { readdirSync } from 'node:fs';
import { negotiateLanguage } from './negotiate-language.ts';

/** The code of a language, from the name of its file: `en`, `de`. */
export type Language = string;

/** One file for each language. The folder is beside `src` in the repository and beside `dist` in the package. */
export const TRANSLATIONS_FOLDER = new URL('../../data/translations/', import.meta.url);

/** The texts of this language are the original, and the default. */
export const ORIGINAL_LANGUAGE = 'en';

/** The languages of mails and pages, default first. */
export const LANGUAGES: readonly [Language, ...Language[]] = listLanguages(TRANSLATIONS_FOLDER);

/** The languages for which a folder has a file. The original comes first, the others are sorted by code. */
export function listLanguages(folder: URL): readonly [Language, ...Language[]] {
  const codes = readdirSync(folder).flatMap((name) => /^([a-z]{2,3})\.json$/.exec(name)?.[1] ?? []);
  return [ORIGINAL_LANGUAGE, ...codes.filter((code) => code !== ORIGINAL_LANGUAGE).sort()];
}

/**
 * The language of mails and pages for a reader.
 *
 * @param acceptLanguage The `Accept-Language` header; undefined when it was not sent.
 */
export function readerLanguage(acceptLanguage: string | undefined): Language {
  return negotiateLanguage(acceptLanguage, LANGUAGES);
}
