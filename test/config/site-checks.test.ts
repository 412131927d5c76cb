import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from './known-names.ts';

const load = (text: string) =>
  loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames, folder: '/srv' }).config.site;

function issuesOf(text: string): readonly string[] {
  const error = refusal(() => load(text));
  return error.issues.map(({ path, line, message, hint }) => `${path} (${line}): ${message}; ${hint}`);
}

function refusal(work: () => unknown): ConfigError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('a site is read, and its logo starts at the folder of the file', (t) => {
  t.deepEqual(
    load(
      'site:\n  name: Acme\n  logo: logo.png\n  colour: "#06c"\n  contact: help@acme.example\n  texts:\n    en:\n      blockPage.heading: Sorry from {site}\n',
    ),
    {
      ...{ name: 'Acme', logo: '/srv/logo.png', colour: '#06c', contact: 'help@acme.example' },
      texts: { en: { 'blockPage.heading': 'Sorry from {site}' } },
    },
  );
  t.is(load('site: {contact: "https://acme.example/help"}\n').contact, 'https://acme.example/help');
});

for (const [title, text, expected] of [
  [
    'an unknown language',
    'xx:\n      blockPage.heading: A',
    /texts\.xx \(3\): the language "xx" does not exist; languages are en, de,/,
  ],
  [
    'a misspelled name',
    'en:\n      blockPage.headnig: A',
    /\(4\): the text "blockPage.headnig" does not exist; did you mean "blockPage\.heading"\?/,
  ],
  [
    'a placeholder that is not filled in',
    'en:\n      verificationPages.timeLeft: "{minuets} left"',
    /\(4\): the placeholder \{minuets\} does not exist here; allowed are \{site\}, \{minutes\}/,
  ],
] as const) {
  test(`${title} in own texts is named with its line and the remedy`, (t) => {
    const [issue = '', ...others] = issuesOf(`site:\n  texts:\n    ${text}\n`);
    t.regex(issue, expected);
    t.deepEqual(others, []);
  });
}

for (const [key, value, expected] of [
  ['colour', 'blue', /expected a colour such as/],
  ['colour', '0b5cad', /did you mean "#0b5cad"\?/],
  ['contact', 'help', /expected an email address, or an absolute http or https URL/],
  ['contact', '"javascript:alert(1)"', /expected an email address/],
  ['name', '"{site}"', /expected a name of up to 60 characters, without braces/],
] as const) {
  test(`${key}: ${value} is refused`, (t) => {
    t.regex(issuesOf(`site:\n  ${key}: ${value}\n`)[0] ?? '', expected);
  });
}
