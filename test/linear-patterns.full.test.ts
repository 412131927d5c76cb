import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ORDINARY_SIGNUPS } from './helpers/ordinary-signups.ts';
import {
  collectMadePatterns,
  findSlowText,
  listPatterns,
  type WrittenPattern,
} from './helpers/regular-expressions.ts';
import { route } from './helpers/routes.ts';

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
  t.deepEqual(slowOnes(patterns), []);
  t.log(`${patterns.length} patterns`);
  t.true(patterns.length > 300);
});

test('neither does one that is put together, at a start or from the names of a route', async (t) => {
  const patterns = await collectMadePatterns(putPatternsTogether);
  t.deepEqual(slowOnes(patterns), []);
  t.log(`${patterns.length} patterns`);
  t.true(patterns.length > 15);
});

async function putPatternsTogether(): Promise<void> {
  await import('../src/accounts/api-key-format.ts');
  await import('../src/processors/device/programs.ts');
  await import('../src/gate/routes/path-pattern.ts');
  await import('../src/gate/watch/fields-in-text.ts');
  const { createWorkBudget } = await import('../src/gate/budgets.ts');
  const { FirstLook } = await import('../src/gate/signup-body/first-look.ts');
  const { FieldsLook } = await import('../src/gate/signup-body/fields-look.ts');
  const { JSON_TYPE, read } = await import('./gate/signup-body/read-hostile-body.ts');
  for (const { type, body } of ORDINARY_SIGNUPS) await read({ type, body: Buffer.from(body) });
  await read({ type: 'application/x-www-form-urlencoded', body: Buffer.from('_payload={"email":"a@b.co"}') });
  const candidate = {
    route: route('/signup', { email: ['user.email'], when: { action: 'register' } }),
    pathVariant: '/signup',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  const budget = createWorkBudget(20_000_000);
  const head = { contentTypes: [JSON_TYPE], query: [], rawHeaders: [], budget };
  for (const look of [new FirstLook([candidate], head), new FieldsLook([candidate], budget)])
    look.write(Buffer.from('{"user":{"name":"a"}}'));
}

test('patterns that are known to be quadratic are found', (t) => {
  for (const pattern of [/^\s*charset\s*=\s*"?([^"]*?)"?\s*$/i, /\/+$/, /(?:0|[1-9]\d*)(?!\w)/g, /\s*,\s*/])
    t.not(findSlowText(pattern), null, String(pattern));
  for (const pattern of [/^\/+/, /a+b/y, /(?<!\s)\s+$/]) t.is(findSlowText(pattern), null, String(pattern));
});

function slowOnes(patterns: readonly WrittenPattern[]): string[] {
  return patterns.flatMap(({ file, source, flags }) => {
    if (source in BOUNDED) return [];
    const text = findSlowText({ source, flags });
    return text === null ? [] : [`${file}: /${source}/${flags} with ${text}`];
  });
}
