import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { RouteCandidate } from '../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=B';
const EVIL = '&action=signup&email=evil%40burner.example&';

interface Sent {
  readonly type?: string;
  readonly encoding?: 'gzip' | 'br';
  readonly route?: Partial<RouteConfig>;
  readonly bodyCondition?: RouteCandidate['bodyCondition'];
}

async function read(
  bytes: Buffer,
  { type = FORM, encoding = 'gzip', route: changed = {}, bodyCondition = 'none' }: Sent,
) {
  const candidate = { route: route('/signup', changed), bodyCondition } as unknown as RouteCandidate;
  const head = { target: '/signup', rawHeaders: [], contentTypes: [type], contentEncodings: [encoding] };
  try {
    const request = { ...head, budget: createWorkBudget(20_000_000), bytes };
    return (await readSignup(request, [candidate]))?.email ?? null;
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

/** A gzip member with a comment in its head (RFC 1952 section 2.3.1), which an app without encodings reads. */
function withComment(text: string, comment: string): Buffer {
  const member = gzipSync(text);
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 0x10;
  return Buffer.concat([head, Buffer.from(`${comment}\0`), member.subarray(10)]);
}

const inPart = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--B--`;
const ON_ACTION: Sent = { route: { when: { action: 'signup' } } };
const OTHER_METHOD: Sent = { bodyCondition: 'email field' };
const GRAPHQL: Sent = { route: { when: { operationName: 'signUp' }, email: ['variables.input.email'] } };

for (const [what, inside, outside, sent, status] of [
  ['without the condition', 'action=login', EVIL, ON_ACTION, 400],
  ['without the email, with another method', 'x=1', EVIL, OTHER_METHOD, 400],
  ['that is JSON, with another method', '{"x":1}', EVIL, { ...OTHER_METHOD, type: 'application/json' }, 400],
  ['that is a text, with another method', 'x', EVIL, { ...OTHER_METHOD, type: 'text/plain' }, 415],
  [
    'in parts, with another method',
    inPart('x', '1'),
    `\r\n${inPart('email', 'evil@burner.example')}\r\n`,
    { ...OTHER_METHOD, type: MULTIPART },
    400,
  ],
  [
    'that is a GraphQL query',
    'query={me{id}}',
    '&query=mutation{signUp(input:$input){id}}&variables={"input":{"email":"evil@burner.example"}}&',
    GRAPHQL,
    400,
  ],
] as const) {
  test(`an encoded body ${what} is refused when its bytes hold a signup`, async (t) => {
    t.is(await read(withComment(inside, ''), sent), null);
    t.is(await read(withComment(inside, outside), sent), status);
  });
}

test('an encoded body that is no signup passes, also when its bytes can be read', async (t) => {
  const login = 'action=login&email=a%40company.example';
  for (const level of [0, 6]) t.is(await read(gzipSync(login, { level }), ON_ACTION), null);
  t.is(await read(gzipSync(inPart('x', '1'), { level: 0 }), { ...OTHER_METHOD, type: MULTIPART }), null);
});

test('a large brotli body is not taken for a list in JSON', async (t) => {
  const text = JSON.stringify({ email: 'a@company.example', notes: randomBytes(50_000).toString('hex') });
  const bytes = brotliCompressSync(text);
  t.is(bytes.toString('latin1', 0, 1), '[');
  t.is(await read(bytes, { type: 'application/json', encoding: 'br' }), 'a@company.example');
});
