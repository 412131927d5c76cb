import test from 'ava';
import { type AccountMailKind, composeAccountMail } from '../../src/accounts/compose-account-mail.ts';
import { LANGUAGES } from '../../src/web/languages.ts';
import { listTexts } from '../../src/web/translations.ts';

const LINK = 'https://gatekeeper.example:8443/links/token';
const GIVEN = { recipient: 'jane@example.com', publicUrl: 'https://gatekeeper.example:8443', link: LINK };
const WITH_LINK: readonly AccountMailKind[] = [
  ...(['registration', 'invitation', 'already-registered', 'password-reset', 'email-change'] as const),
  'two-factor-removed',
];

for (const language of LANGUAGES) {
  test(`mails in ${language} name the site and carry the link in both parts`, (t) => {
    for (const kind of WITH_LINK) {
      const { recipient, subject, text, html } = composeAccountMail(kind, { ...GIVEN, language });
      t.is(recipient, 'jane@example.com');
      t.true(subject.includes('gatekeeper.example:8443'), kind);
      t.true(text.includes(`\n${LINK}\n`), kind);
      t.true(html.includes(`href="${LINK}"`) && html.includes(`lang="${language}"`), kind);
      t.notRegex(`${subject}${text}${html}`, /\{\w+\}/, kind);
    }
  });
}

test('the mail about a changed email has no link', (t) => {
  const { text, html } = composeAccountMail('email-changed', { ...GIVEN, language: 'en' });
  t.false(text.includes(LINK));
  t.false(html.includes('href='));
});

test('a mail says how long its link works', (t) => {
  const textOf = (kind: AccountMailKind) => composeAccountMail(kind, { ...GIVEN, language: 'en' }).text;
  t.regex(textOf('registration'), /once, for 24 hours\./);
  t.regex(textOf('email-change'), /once, for 24 hours\./);
  t.regex(textOf('invitation'), /once, for 7 days\./);
  t.regex(textOf('password-reset'), /once, for 60 minutes\./);
});

test('the texts of a site cannot change the mails of the dashboard', (t) => {
  t.false(listTexts().some(({ name }) => name.startsWith('accountMails')));
});
