import { fileURLToPath } from 'node:url';
import test from 'ava';
import { findSlowText, listPatterns } from './helpers/regular-expressions.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** They read the operator's own files, on the command line or once at a start. */
const OWN_FILES = /^(?:cli|config)\//;

/** Patterns whose texts are short or our own. */
const BOUNDED: Readonly<Record<string, string>> = {
  '(?<=.)\\+[^@]*(?=@[^@]*$)': 'an email, which has at most 254 bytes',
  '\\B(?=(\\d{3})+$)': 'a number',
  '(--[\\w-]+): light-dark\\(([^,]+), ([^)]+)\\)': 'the style sheet',
};

test('no regular expression takes more than linear time for a hostile text', (t) => {
  const patterns = listPatterns(src).filter(({ file }) => !OWN_FILES.test(file));
  const slow = patterns.flatMap(({ file, source, flags }) => {
    if (source in BOUNDED) return [];
    const text = findSlowText({ source, flags });
    return text === null ? [] : [`${file}: /${source}/${flags} with ${text}`];
  });
  t.deepEqual(slow, []);
  t.log(`${patterns.length} patterns`);
  t.true(patterns.length > 300);
});

test('patterns that are known to be quadratic are found', (t) => {
  for (const pattern of [/^\s*charset\s*=\s*"?([^"]*?)"?\s*$/i, /\/+$/, /(?:0|[1-9]\d*)(?!\w)/g, /\s*,\s*/])
    t.not(findSlowText(pattern), null, String(pattern));
  for (const pattern of [/^\/+/, /a+b/y, /(?<!\s)\s+$/]) t.is(findSlowText(pattern), null, String(pattern));
});
