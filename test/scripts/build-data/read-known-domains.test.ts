import { readFileSync } from 'node:fs';
import test from 'ava';
import { readKnownDomains } from '../../../scripts/build-data/read-known-domains.ts';

const yaml = readFileSync(new URL('../../../data/tables/mail-domains.yaml', import.meta.url), 'utf8');

test('a domain that is added is in its list, whatever its group', (t) => {
  const { RELAYS, FREE_PROVIDERS } = readKnownDomains(
    yaml.replace('mozmail.com,', 'mozmail.com, mask.example.com,'),
  );
  t.true(RELAYS.includes('mask.example.com'));
  t.false(FREE_PROVIDERS.includes('mask.example.com'));
});

for (const [what, from, to, issue] of [
  ['no domain', 'mozmail.com,', 'mozmail,', /mail-domains\.yaml:\d+: relays\.first\[1\] is not a domain/],
  [
    'a domain twice',
    'mozmail.com,',
    'mozmail.com, duck.com,',
    /repeats duck\.com, which is in relays\.first/,
  ],
  [
    'a list without a meaning',
    'not_hosts:',
    'no_hosts:',
    /no_hosts is unknown; known are .*\n.*has no not_hosts/,
  ],
  ['no date', "'2026-11-30'", 'today', /written_on is not a date/],
] as const) {
  test(`${what} stops the build, with the line`, (t) => {
    t.throws(() => readKnownDomains(yaml.replace(from, to)), { message: issue });
  });
}
