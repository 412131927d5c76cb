import test from 'ava';
import { composeAccountMail } from '../../src/accounts/compose-account-mail.ts';

const LINK = 'https://gatekeeper.example:8443/links/token';
const GIVEN = { recipient: 'jane@example.com', publicUrl: 'https://gatekeeper.example:8443', link: LINK };

for (const kind of ['registration', 'already-registered', 'password-reset', 'email-change'] as const) {
  test(`a mail of the kind ${kind} names the site and carries the link in both parts`, (t) => {
    const { recipient, subject, text, html } = composeAccountMail(kind, GIVEN);
    t.is(recipient, 'jane@example.com');
    t.regex(subject, /gatekeeper\.example:8443$/);
    t.true(text.includes(`\n${LINK}\n`));
    t.true(html.includes(`href="${LINK}"`));
    t.false(`${subject}${text}${html}`.includes('{site}'));
  });
}

test('the mail about a changed email has no link', (t) => {
  const { text, html } = composeAccountMail('email-changed', GIVEN);
  t.false(text.includes(LINK));
  t.false(html.includes('href='));
});
