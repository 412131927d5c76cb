import { FEED_FORMATS, FEED_KINDS } from '../../src/config/feed-source.ts';
import { isWebUrl } from '../../src/config/url-formats.ts';
import { textLike, textsLike } from './item-rules.ts';
import type { TableReader } from './table-reader.ts';
import { literal } from './write-literal.ts';

const TEXT_KEYS = ['publisher', 'licence', 'renewed', 'purpose'] as const;
const KEYS = ['kind', 'format', 'urls', ...TEXT_KEYS];
/** Each address of a list that cannot be fetched costs its whole time limit. */
const MAX_URLS = 5;

/** `data/sources.yaml`: the public lists that `datasets.feeds` can name. */
export function feedSources(reader: TableReader): string {
  const urlRule = {
    ...textsLike(/^https:/, 'an https URL'),
    isValid: (value: unknown): value is string =>
      typeof value === 'string' && value.startsWith('https:') && isWebUrl(value),
  };
  const rows = reader.keys([]).map((name) => {
    if (!/^[a-z][a-z0-9-]{1,39}$/.test(name))
      reader.report([name], 'is not a name of the letters a to z, digits and -');
    reader.keys([name], KEYS);
    const urls = reader.items([name, 'urls'], urlRule);
    if (urls.length === 0 || urls.length > MAX_URLS)
      reader.report([name, 'urls'], `has not 1 to ${MAX_URLS} items`);
    const kind = reader.optional([name, 'kind'], oneOf(FEED_KINDS));
    const format = reader.optional([name, 'format'], oneOf(FEED_FORMATS));
    const texts = TEXT_KEYS.map((key) => {
      const text = reader.optional([name, key], textLike(/^\S.*$/, 'a text of one line'));
      return `    ${key}: ${literal(text)},`;
    });
    return [
      '  {',
      `    name: ${literal(name)},`,
      `    kind: ${literal(kind)},`,
      `    format: ${literal(format)},`,
      '    urls: [',
      ...urls.map((url) => `      ${literal(url)},`),
      '    ],',
      ...texts,
      '  },',
    ].join('\n');
  });
  return [
    "import type { FeedSource } from '../config/feed-source.ts';",
    '',
    'export const FEED_SOURCES: readonly FeedSource[] = [',
    ...rows,
    '];',
    '',
  ].join('\n');
}

function oneOf(words: readonly string[]) {
  return textLike(new RegExp(`^(?:${words.join('|')})$`), `one of ${words.join(', ')}`);
}
