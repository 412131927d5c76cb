import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import fc from 'fast-check';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from './known-names.ts';

const folder = fileURLToPath(new URL('./testdata/', import.meta.url));
const seeds = ['good', 'bad'].flatMap((kind) =>
  readdirSync(`${folder}${kind}`)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(`${folder}${kind}/${file}`, 'utf8')),
);
const splinters = [
  '\t',
  '\n',
  '---\n',
  ': ',
  '- ',
  '&a ',
  '*a',
  '!!js ',
  '{',
  '}',
  '[',
  ']',
  `\${`,
  `\${X}`,
  '"',
  "'",
  '|',
  '>',
  '#',
  '<<: ',
  '__proto__: ',
  '? ',
  '%YAML 1.1\n',
  '\0',
  '\u2028',
  '🦊',
  'null',
  '~',
  '.inf',
  '1e999',
  '0x1',
  '-',
];

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 12 }),
  insert: fc.oneof(fc.constantFrom(...splinters), fc.string({ maxLength: 5 }), fc.constant('')),
});

/** Either a configuration or a ConfigError with places in the text; anything else is a bug of the loader. */
function load(text: string): 'accepted' | 'refused' {
  try {
    loadConfig({
      file: 'gatekeeper.yaml',
      text,
      env: { X: 'x' },
      knownNames,
      readFile: () => ({ text: 'x', openToOthers: false }),
    });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = text.split(/\r\n|\n|\r/).length;
    for (const { line, column, message } of error.issues) {
      if (line < 1 || line > lines || column < 1 || message === '')
        throw new Error(`no place: ${error.message}`);
    }
    return 'refused';
  }
}

test('2,000 mutated files are each accepted or refused with places, and never anything else', (t) => {
  const outcomes = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      (seed, mutations) => {
        let text = seed;
        for (const { at, cut, insert } of mutations) {
          const start = Math.floor(at * text.length);
          text = text.slice(0, start) + insert + text.slice(start + cut);
        }
        outcomes[load(text)]++;
      },
    ),
    { numRuns: 2_000, seed: 20_261_121 },
  );
  t.true(outcomes.accepted > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
  t.is(({} as Record<string, unknown>).polluted, undefined);
});

test('any value in the place of any part is accepted or refused, and never anything else', (t) => {
  const parts = [
    'api',
    'proxy',
    'scoring',
    'lists',
    'storage',
    'datasets',
    'mail',
    'verification',
    'assertion',
    'dashboard',
    'privacy',
    'log',
    'server',
    'workers',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...parts), fc.jsonValue({ maxDepth: 4 }), (part, value) => {
      load(JSON.stringify({ [part]: value }));
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
  t.pass();
});
