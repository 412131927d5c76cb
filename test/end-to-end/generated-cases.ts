import fc from 'fast-check';
import { BODIES, multipart } from './body-cases.ts';
import {
  BAD,
  DISPOSITION,
  type DifferentialCase,
  FORM,
  FORM_BODY,
  GOOD,
  JSON_TYPE,
  MULTIPART,
  make,
} from './differential-case.ts';

const STARTS = ['/', '//', '/./', '/x/../', '/\\', '//h/', '/%2e/', '/index.php/', 'http://h/', '/;x/'];
const ENDS = ['', '', '', '/', '//', ';x', '.', '?x', '#x', '.php', '.php/x', '/.', '%20', '%00', '\\'];

/** What turns one signup into two when it lands where a parser looks. */
const DECOYS = [
  ...[
    `&email=${BAD}`,
    `email=${BAD}&`,
    `;email=${BAD};`,
    `&email[]=${BAD}&`,
    `&%65mail=${BAD}&`,
    `&Email=${BAD}&`,
  ],
  ...[
    `"email":"${BAD}",`,
    `,"email":"${BAD}"`,
    `"Email":"${BAD}",`,
    `,"__proto__":{"email":"${BAD}"}`,
    `{"email":"${BAD}"}`,
  ],
  ...[
    `--X\r\n${DISPOSITION} name="email"\r\n\r\n${BAD}\r\n`,
    `\r\n--X\r\n${DISPOSITION} name=email\r\n\r\n${BAD}`,
    `; name="email"`,
    `; name='email'`,
    `; filename="x"`,
    `\r\nContent-Type: text/plain; charset=utf-16`,
    '--X--\r\n',
    '--X\r\n',
    '\r\n\r\n',
    '\r\n',
  ],
  ...[
    ...'&;=%"\'\\[]{}+,: \n\t\0-Xx@.',
    '%00',
    '%0a',
    '\\u0000',
    '\ufeff',
    '\u00e9',
    '[]',
    '[x]',
    '/*',
    '*/',
    '//',
  ],
];

const TYPES = [
  JSON_TYPE,
  FORM,
  MULTIPART,
  `${FORM}; charset=utf-8`,
  'application/vnd.api+json',
  'multipart/form-data; boundary="X"',
];

/** Spellings, methods and bodies mixed at random, the same ones for the same seed. */
export function generatedCases(count: number, seed: number): readonly DifferentialCase[] {
  const letters = [...'signup'].map((letter) =>
    fc.constantFrom(letter, letter, letter, letter.toUpperCase(), `%${letter.charCodeAt(0).toString(16)}`),
  );
  const spelled = fc
    .tuple(fc.constantFrom(...STARTS), fc.tuple(...letters), fc.constantFrom(...ENDS))
    .map(([start, word, end]) => `${start}${word.join('')}${end}`);
  const bodies = [
    ...BODIES,
    ...Array.from({ length: 60 }, () => [FORM, FORM_BODY] as const),
    ...Array.from({ length: 60 }, () => [JSON_TYPE, `{"x":"y","email":"${GOOD}","z":{"a":[1]}}`] as const),
    ...Array.from(
      { length: 60 },
      () => [MULTIPART, multipart(['x', 'y'], ['email', GOOD], ['z', ''])] as const,
    ),
  ].map(([type, body]) => ({ type, bytes: Buffer.from(body as string) }));
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.constantFrom(0, 0, 0, 1, 2),
    text: fc.constantFrom('', ...DECOYS),
  });
  const request = fc.record({
    target: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('/signup', '/signup', '/join') },
      { weight: 1, arbitrary: spelled },
    ),
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'PUT', 'GET'),
    body: fc.constantFrom(...bodies),
    otherType: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
    ),
    edits: fc.array(edit, { maxLength: 3 }),
  });
  return fc.sample(request, { seed, numRuns: count }).map(({ target, method, body, otherType, edits }, i) => {
    let { bytes } = body;
    for (const { at, cut, text } of edits) {
      const place = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(text), bytes.subarray(place + cut)]);
    }
    const type = otherType ?? body.type;
    return make(`generated ${i} ${method} ${target} ${String(type)}`, { method, target, type, body: bytes });
  });
}
