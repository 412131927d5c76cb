import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { BodyCondition } from '../../../src/gate/routes/route-table.ts';
import { ListLook } from '../../../src/gate/signup-body/listed-email.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const JSON_TYPE = 'application/json';

interface Sent {
  readonly type?: string;
  readonly route?: Partial<RouteConfig>;
  /** A method other than POST, on a route without methods. */
  readonly isPut?: boolean;
}

async function read(body: string, { type = JSON_TYPE, route: changed = {}, isPut = false }: Sent) {
  const bodyCondition: BodyCondition = isPut ? 'email field' : 'none';
  const candidate = {
    route: route('/signup', changed),
    pathVariant: '/signup',
    source: 'the target',
    bodyCondition,
  };
  const request = {
    target: '/signup',
    rawHeaders: [],
    contentTypes: type === '' ? [] : [type],
    contentEncodings: [],
    budget: createWorkBudget(20_000_000),
    bytes: Buffer.from(body),
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup === null ? 'passes' : (signup.email ?? 'no email');
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

const PUT: Sent = { isPut: true };
const NESTED: Sent = { isPut: true, route: { email: ['user.email'] } };
const ACTION: Sent = { route: { when: { action: 'signup' } } };
const ENUM: Sent = { route: { when: { 'Signup.email': { exists: true } }, email: ['Signup.email'] } };
const SPACES = ' '.repeat(5_000);

const REFUSED: readonly (readonly [what: string, body: string, sent: Sent, status: number])[] = [
  ['an email alone', '["a@b.example"]', PUT, 400],
  ['an email and more', '["secret", "a@b.example", null]', PUT, 400],
  ['an escaped at sign', '["a\\u0040b.example"]', PUT, 400],
  ['a wide at sign', '["a\uff20b.example"]', PUT, 400],
  ['an escaped quote', '["\\"a\\"@b.example"]', PUT, 400],
  ['much white space', `[${SPACES}"a@b.example"${SPACES}]`, PUT, 400],
  ['white space first', `${SPACES}["a@b.example"]`, PUT, 400],
  ['a list without a type', '["a@b.example"]', { ...PUT, type: '' }, 415],
  ['a list as text', '["a@b.example"]', { ...PUT, type: 'text/plain' }, 415],
  ['a list as a picture', '["a@b.example"]', { ...PUT, type: 'image/png' }, 415],
  ['a list in a list', '[["a@b.example"]]', NESTED, 400],
  ['a list in place of the inner object', '{"user":["a@b.example"]}', NESTED, 400],
  ['the inner object in a list', '[{"email":"a@b.example"}]', NESTED, 400],
  ['the value of a condition', '["signup","a@b.example"]', ACTION, 400],
  ['an escaped value of a condition', '["s\\u0069gnup","a@b.example"]', ACTION, 400],
  ['the value of a condition behind', '["a@b.example","signup"]', ACTION, 400],
  ['several lists', '[["login","a@b.example"],["signup","c@d.example"]]', ACTION, 400],
  ['a list as text with a condition', '["signup","a@b.example"]', { ...ACTION, type: 'text/plain' }, 415],
  ['a list in an enum', '{"Signup":["a@b.example"]}', ENUM, 400],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`a list with the email by its place is refused: ${what}`, async (t) => {
    t.is(await read(body, sent), status);
  });
}

const PASSES: readonly (readonly [what: string, body: string, sent: Sent])[] = [
  ['texts without an address', '["a","b"]', PUT],
  ['objects with an address', '[{"op":"replace","path":"/contact","value":"a@b.example"}]', PUT],
  ['objects with an email', '[{"email":"a@b.example","id":1}]', PUT],
  ['an address inside an object', '{"cc":["a@b.example"],"a":1,"a":2}', PUT],
  ['a table', 'name,"a@b.example"\n"x","c@d.example"', { ...PUT, type: 'text/csv' }],
  ['a text with a list in it', 'Hello ["a@b.example"]', { ...PUT, type: 'text/plain' }],
  ['another action', '["login","a@b.example"]', ACTION],
  ['addresses for another action', '["a@b.example","c@d.example"]', ACTION],
  ['an action without an address', '["signup","x"]', ACTION],
  ['an object for another action', '{"action":"login","to":["a@b.example","signup"]}', ACTION],
  ['addresses where a field decides', '["a@b.example"]', { route: { when: { email: { exists: true } } } }],
  ['another member of the enum', '{"Invite":["a@b.example"],"a":1,"a":2}', ENUM],
];

for (const [what, body, sent] of PASSES) {
  test(`a list without the email by its place passes: ${what}`, async (t) => {
    t.is(await read(body, sent), 'passes');
  });
}

test('a list is found in pieces', (t) => {
  const look = new ListLook('[', createWorkBudget(20_000_000));
  look.write('  ');
  look.write('["signup",');
  t.false(look.mayHoldAddress);
  look.write(' '.repeat(1_200));
  look.write(`${' '.repeat(1_200)}"a@b.example"`);
  t.true(look.mayHoldAddress);
});
