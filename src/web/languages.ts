/** The languages of mails and pages, the default first. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
