import { qualityOf } from './quality.ts';

/** Browsers send fewer entries. Further entries are not read. */
const MAX_ENTRIES = 32;

/**
 * The language to answer in (RFC 9110 section 12.5.4, the lookup of RFC 4647 section 3.4 by primary subtag): the one
 * with the highest quality, the first of equals. `*` means the default.
 *
 * @param accepted The `Accept-Language` header; undefined when it was not sent.
 * @param offered The offered languages as primary subtags, the default first.
 */
export function negotiateLanguage<Language extends string>(
  accepted: string | undefined,
  offered: readonly [Language, ...Language[]],
): Language {
  let best: Language = offered[0];
  let bestQuality = 0;
  for (const entry of (accepted ?? '').split(',', MAX_ENTRIES)) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const quality = qualityOf(parameters);
    const primary = range.split('-', 1)[0];
    const language = range === '*' ? offered[0] : offered.find((one) => one === primary);
    if (language === undefined || quality <= bestQuality) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}
