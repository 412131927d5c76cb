import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { RouteCandidate } from '../../../src/gate/routes/route-table.ts';
import { openSignupStream } from '../../../src/gate/signup-body/signup-stream.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const PIECE = 65_536;

type Part = readonly [disposition: string, content: string | Buffer];

function formOf(...parts: readonly Part[]): Buffer {
  const bytes = parts.flatMap(([disposition, content]) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...bytes, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const EMAIL: Part = ['name="email"', 'ada@company.example'];
const FILE = 'name="file"; filename="a.bin"';
const NEARLY = `\r\n--${BOUNDARY.slice(0, -1)}Y\r\n--`;

/** The result for a form that arrives in pieces of this many bytes. */
function read(form: Buffer, nextLength: (at: number) => number): string {
  const candidates = [{ route: route('/signup'), bodyCondition: 'none' }] as unknown as RouteCandidate[];
  const head = {
    target: '/signup',
    rawHeaders: [],
    contentTypes: [`multipart/form-data; boundary=${BOUNDARY}`],
    contentEncodings: [],
    budget: createWorkBudget(8_000_000),
  };
  const stream = openSignupStream(head, candidates);
  try {
    for (let at = 0; at < form.length; ) {
      const length = nextLength(at);
      stream.write(form.subarray(at, at + length));
      at += length;
    }
    const signup = stream.end();
    return JSON.stringify([signup?.email, signup?.otherEmails]);
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
}

const FORMS: Readonly<Record<string, Buffer>> = {
  'a file behind the email': formOf(EMAIL, [FILE, 'z'.repeat(300)]),
  'nearly boundaries in a file': formOf(EMAIL, [FILE, NEARLY.repeat(3)]),
  'a boundary behind a bare line feed in a file': formOf(
    [FILE, `\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="email"\r\n\r\nevil@x.example`],
    EMAIL,
  ),
  'an email in the text of a file': formOf(EMAIL, [FILE, ' &email=evil@x.example&']),
  'an email in a link': formOf(EMAIL, ['name="page"', 'https://x.example/?a=1&email=evil@x.example']),
  'a second email behind a file': formOf(EMAIL, [FILE, 'z'], ['name="user[email]"', 'evil@x.example']),
  'the email twice': formOf(EMAIL, [FILE, 'z'], ['name="email"', 'evil@x.example']),
};

for (const [what, form] of Object.entries(FORMS)) {
  test(`a form with ${what} reads the same however it is cut into pieces`, (t) => {
    const whole = read(form, () => form.length);
    for (let size = 1; size <= 100; size++)
      t.is(
        read(form, () => size),
        whole,
        `pieces of ${size}`,
      );
    for (let cut = 1; cut < form.length; cut++)
      t.is(
        read(form, (at) => (at === 0 ? cut : form.length)),
        whole,
        `cut at ${cut}`,
      );
  });
}

test('unused work of a long file cannot be spent in one tick of the event loop', (t) => {
  const costly = '&email='.repeat(Math.ceil((2 * PIECE) / 7));
  const form = formOf(EMAIL, [FILE, Buffer.concat([Buffer.alloc(16_000_000), Buffer.from(costly)])]);
  t.regex(
    read(form, () => PIECE),
    /too complex to read/,
  );
});

test('large pictures and texts are not too complex to read', (t) => {
  const text = 'name;email;city\n'.repeat(10) + 'Ada Lovelace;ada@company.example;London\n'.repeat(200_000);
  for (const file of [randomBytes(16_000_000), Buffer.from(text)])
    t.is(
      read(formOf(EMAIL, [FILE, file]), () => PIECE),
      '["ada@company.example",[]]',
    );
});
