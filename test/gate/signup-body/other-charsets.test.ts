import test from 'ava';
import type { RouteCandidate } from '../../../src/gate/routes/route-table.ts';

import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { createWorkBudget } from '../../../src/gate/work-budget.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

const CHARSETS = ['iso-8859-1', 'ISO-8859-15', 'windows-1251', 'windows-1252', 'latin1', 'us-ascii'];

function read(charset: string, body: string, signupRoute = route('/signup')) {
  const candidates = [{ route: signupRoute, bodyCondition: 'none' }] as unknown as RouteCandidate[];
  return readSignup(
    {
      target: '/signup',
      rawHeaders: [],
      contentTypes: [`application/x-www-form-urlencoded; charset=${charset}`],
      contentEncodings: [],
      budget: createWorkBudget(10_000_000),
      bytes: Buffer.from(body, 'latin1'),
    },
    candidates,
  );
}

for (const [what, body] of [
  // For an app that reads every form as UTF-8 these are other mailboxes than for an app that reads the charset.
  ['a wide letter in the domain', 'email=a@%EF%BD%8Dailinator.com'],
  ['an ideographic full stop', 'email=a@mailinator%E3%80%82com'],
  ['a domain of another script', 'email=a@b%C3%BCcher.example'],
  ['a raw byte', 'email=a@b\xfccher.example'],
  ['a letter of the local part', 'email=m%C3%BCller@company.example'],
  ['a second email', 'email=a@company.example&model.Email=a@%EF%BD%8Dailinator.com'],
  ['a second email with a wide at sign', 'email=a@company.example&user[email]=evil%EF%BC%A0x.example'],
  ['a wide letter in a name', 'email=a@company.example&%EF%BD%85mail=evil@x.example'],
  ['a name with a byte that some drop', 'email=a@company.example&em%FFail=evil@x.example'],
] as const) {
  test(`in a charset besides UTF-8 the email is refused for ${what}`, async (t) => {
    for (const charset of CHARSETS) {
      const error = await t.throwsAsync(read(charset, body), { instanceOf: ProblemError }, charset);
      t.is((error as ProblemError).code, 'invalid_request');
    }
  });
}

test('other fields of a form may be in its own charset', async (t) => {
  for (const charset of CHARSETS) {
    const signup = await read(
      charset,
      'email=a%40company.example&name=J%FCrgen+M\xfcller&pr%E9nom=%80&x=%EF%BD%8D',
    );
    t.is(signup?.email, 'a@company.example', charset);
    t.deepEqual(signup?.otherEmails, []);
  }
  const latin = route('/signup', { when: { prénom: 'Zoé' } });
  t.is((await read('iso-8859-1', 'email=a@company.example&pr%E9nom=Zo%E9', latin))?.route, latin);
});
