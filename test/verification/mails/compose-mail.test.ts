import test from 'ava';
import fc from 'fast-check';
import { openSmtp } from '../../../src/mail/open-smtp.ts';
import { composeMail, type MailFacts } from '../../../src/verification/mails/compose-mail.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { openSite, UNNAMED_SITE } from '../../../src/web/site.ts';
import { openSmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { brandedConfig, brandedSite } from '../../web/branded-site.ts';

const from = 'Shop <no-reply@shop.example>';
const link = 'https://app.example/.gatekeeper/verify/0123456789abcdefghijklmnopqrstuvwxyz-_ABCDE';

function facts(changes: Partial<MailFacts> = {}): MailFacts {
  return {
    ...{ recipient: 'jane@example.com', language: 'en', site: UNNAMED_SITE, code: '012345', link },
    ...{ publicUrl: 'https://app.example', codeMinutes: 10, linkMinutes: 30 },
    ...changes,
  };
}

for (const language of LANGUAGES) {
  test(`a mail in ${language} says who asks, code, link and how long, in text and in HTML alike`, async (t) => {
    const mailbox = await openSmtpMailbox(t);
    const smtp = openSmtp({ url: mailbox.url, from });
    t.teardown(smtp.close);
    await smtp.send(composeMail(facts({ language })));
    const [mail] = await mailbox.received(1);
    t.like(mail, { from: 'no-reply@shop.example', to: ['jane@example.com'], code: '012345', link });
    t.true(mail?.subject.includes('app.example'));
    for (const body of [mail?.text ?? '', mail?.html ?? '']) {
      for (const said of ['app.example', '012345', link, '10', '30']) t.true(body.includes(said), said);
      t.false(/jane|\{\w+\}/i.test(body));
    }
    // What a phone shows of a mail before it is opened.
    t.regex(mail?.text.slice(0, 40) ?? '', /012345/);
    const shown = mail?.html.replace(/.*<body/s, '<body').replace(/<[^>]*>/g, '') ?? '';
    t.regex(shown.replace(/\s+/g, ' ').slice(0, 60), /012345/);
    t.notRegex(mail?.html ?? '', /display:\s*none|visibility:\s*hidden|max-height|font-size:\s*[01]px/);
    t.regex(mail?.html ?? '', new RegExp(`<html lang="${language}">`));
    t.regex(mail?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m);
    t.deepEqual([...new Set(mail?.html.match(/(?:src|href)="[^"]*"/g))], [`href="${link}"`]);
  });
}

test('a site name or a link is escaped in the HTML', async (t) => {
  const tagsOf = (changes: Partial<MailFacts>) =>
    composeMail(facts(changes))
      .html.match(/<[^>]*>/g)
      ?.map((tag) => tag.replace(/"[^"]*"/g, '""'));
  const siteWith = (name: string) => openSite({ ...brandedConfig(t, { logo: null }), name });
  const expected = tagsOf({ site: await siteWith('Acme') });
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => {
      t.deepEqual(tagsOf({ site: await siteWith(text), link: text, code: text }), expected);
    }),
  );
});

test('a mail of a branded site arrives with its logo inside, and says how to reach its owner', async (t) => {
  const mailbox = await openSmtpMailbox(t);
  const smtp = openSmtp({ url: mailbox.url, from });
  t.teardown(smtp.close);
  await smtp.send(composeMail(facts({ site: await brandedSite(t) })));
  const [mail] = await mailbox.received(1);
  t.is(mail?.subject, 'Confirm your sign-up at Acme & Söhne');
  t.true(mail?.text.includes('Contact Acme & Söhne: help@acme.example'));
  t.regex(mail?.raw ?? '', /^Content-Type: image\/png/m);
  t.regex(mail?.raw ?? '', /^Content-Id: <logo@gatekeeper>/im);
  t.regex(mail?.html ?? '', /src="cid:logo@gatekeeper"/);
});
