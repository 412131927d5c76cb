import { negotiateLanguage } from './negotiate-language.ts';

/** The languages of mails and pages, default first. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of mails and pages for a reader.
 *
 * @param acceptLanguage The `Accept-Language` header; undefined when it was not sent.
 */
export function readerLanguage(acceptLanguage: string | undefined): Language {
  return negotiateLanguage(acceptLanguage, LANGUAGES);
}
