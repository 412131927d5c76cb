import test from 'ava';
import { readSignupFields } from '../../src/api/signup-fields.ts';

const userAgentOf = (userAgent: string | null) =>
  readSignupFields(
    Buffer.from(
      JSON.stringify({ email: 'ada@example.com', ip_address: '198.51.100.7', user_agent: userAgent }),
    ),
  ).userAgent;

test('white space around a user agent does not count, as in a header', (t) => {
  t.is(userAgentOf(' curl/8.5.0\t'), 'curl/8.5.0');
  for (const missing of [null, '', ' ', '\t\n']) t.is(userAgentOf(missing), null);
});
