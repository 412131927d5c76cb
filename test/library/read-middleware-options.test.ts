import test from 'ava';
import { judgeSignup } from '../../src/library/express.ts';
import type { Gatekeeper } from '../../src/library/gatekeeper.ts';
import { readMiddlewareOptions } from '../../src/library/read-middleware-options.ts';

test('without options, the rules are those of a route of the gate that the app verifies', (t) => {
  const { route, trust } = readMiddlewareOptions({});
  t.like(route, {
    ...{ name: 'signup', email: ['email'], mode: 'enforce', on_low: 'forward', on_medium: 'verify' },
    ...{ on_high: 'block', on_error: 'forward', on_missing_email: 'block', verify: { by: 'upstream' } },
  });
  t.deepEqual(trust, { trustedProxies: [], clientIpHeader: 'x-forwarded-for' });
  t.deepEqual(readMiddlewareOptions({ onLow: undefined, email: undefined }), { route, trust });
});

test('every option is read', (t) => {
  const { route, trust } = readMiddlewareOptions({
    ...{ name: 'join', email: ['user[email]', 'mail'], mode: 'monitor', onLow: 'verify', onMedium: 'block' },
    ...{ onHigh: 'verify', onError: 'block', onMissingEmail: 'forward', verify: { by: 'upstream' } },
    ...{ levels: { low: 80, medium: 50 }, maxBody: 2_000, trustedProxies: ['10.0.0.0/8', '::1'] },
    clientIpHeader: 'CF-Connecting-IP',
  });
  t.like(route, {
    ...{
      name: 'join',
      email: ['user[email]', 'mail'],
      mode: 'monitor',
      on_low: 'verify',
      on_medium: 'block',
    },
    ...{ on_high: 'verify', on_error: 'block', on_missing_email: 'forward', max_body: 2_000 },
    levels: { low: 80, medium: 50 },
  });
  t.is(trust.trustedProxies.length, 2);
  t.is(trust.clientIpHeader, 'cf-connecting-ip');
});

for (const [title, options, message] of [
  ['a misspelled option', { onHihg: 'block' }, /onHihg: unknown option; did you mean "onHigh"\?/],
  ['the name that the file uses', { on_medium: 'block' }, /did you mean "onMedium"\?/],
  [
    'a misspelled action',
    { onHigh: 'blok' },
    /onHigh: expected forward, verify, block; did you mean "block"\?/,
  ],
  ['verification by mail', { verify: { by: 'email' } }, /"email" needs the gate/],
  ['verification by mail as a word', { verify: 'email' }, /"email" needs the gate/],
  ['verification by redirect', { verify: { by: 'redirect', url: 'https://a.example' } }, /needs the gate/],
  ['no network', { trustedProxies: ['10.0.0.0/8', 'proxy'] }, /trustedProxies: "proxy" is wrong/],
  ['one network as a text', { trustedProxies: '10.0.0.0/8' }, /trustedProxies: expected a list/],
  ['true for a network', { trustedProxies: true }, /trustedProxies: expected a list/],
  ['a size as a text', { maxBody: '1mb' }, /maxBody: expected a number of bytes/],
  ['levels in the wrong order', { levels: { low: 40, medium: 70 } }, /levels: expected \{low, medium\}/],
  ['half of the levels', { levels: { low: 40 } }, /levels: expected/],
  ['a place outside the body', { email: '__proto__.email' }, /email: "__proto__.email" is wrong/],
  ['no place', { email: [] }, /email: expected 1 to 10 entries/],
  ['an inherited name', { constructor: 'x' }, /constructor: unknown option/],
  ['a list of options', [], /the options must be an object/],
  ['null', null, /the options must be an object/],
] as const)
  test(`${title} is refused with a sentence`, (t) => {
    t.throws(() => readMiddlewareOptions(options), { instanceOf: TypeError, message });
  });

test('all mistakes are named at once', (t) => {
  const { message } = t.throws(() => readMiddlewareOptions({ onLow: 7, name: ' ', mode: 'off' }));
  for (const name of ['onLow', 'name', 'mode']) t.regex(message, new RegExp(`${name}: expected`));
});

test('only a gatekeeper of createGatekeeper is accepted', (t) => {
  const mount = (gatekeeper: unknown) => () => judgeSignup(gatekeeper as Gatekeeper);
  t.throws(mount(Promise.resolve()), { message: /write await createGatekeeper/ });
  for (const wrong of [undefined, null, {}, 'gatekeeper.yaml'])
    t.throws(mount(wrong), { instanceOf: TypeError, message: /must be the result of createGatekeeper/ });
});
