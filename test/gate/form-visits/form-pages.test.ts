import test from 'ava';
import { compileFormPages } from '../../../src/gate/form-visits/form-pages.ts';
import { route } from '../../helpers/routes.ts';

const pages = compileFormPages([
  route('/signup', { form: ['/signup', '/Join/:plan'] }),
  route('/api/users', { form: ['/signup'], when: { kind: 'person' } }),
]);

const TARGETS: readonly (readonly [target: string, pages: readonly string[]])[] = [
  ['/signup', ['/signup']],
  ['/signup?next=/shop', ['/signup']],
  ['/signup/', ['/signup']],
  ['/SignUp', ['/signup']],
  ['/%73ignup', ['/signup']],
  ['/shop/../signup', ['/signup']],
  ['http://app.example/signup', ['/signup']],
  ['/join/pro', ['/Join/:plan']],
  ['/join', []],
  ['/', []],
  ['/signups', []],
  ['/assets/Signup-3fG.js', []],
  ['/shop?page=/signup', []],
  ['/.gatekeeper/verify', []],
  ['*', []],
  ['/%', []],
];

for (const [target, expected] of TARGETS) {
  test(`a GET of ${target} loads ${expected.join() || 'no page with a form'}`, (t) => {
    t.deepEqual(pages?.pagesOf(target), expected);
  });
}

test('each page counts for any, beside the pages of other routes', (t) => {
  const any = compileFormPages([route('/a', { form: ['any'] }), route('/b', { form: ['/b'] })]);
  t.deepEqual(any?.pagesOf('/b'), ['/b', 'any']);
  t.deepEqual(any?.pagesOf('/other'), ['any']);
  t.deepEqual(compileFormPages([route('/a', { form: ['any'] })])?.pagesOf('/other'), ['any']);
});

test('without a form there is nothing to look at', (t) => {
  t.is(compileFormPages([route('/signup')]), null);
  t.is(compileFormPages([]), null);
});

test('a path that can be read in very many ways is no page, and takes bounded time', (t) => {
  t.deepEqual(pages?.pagesOf(`/${'%25'.repeat(4_000)}signup;${'a;'.repeat(2_000)}`), []);
});
