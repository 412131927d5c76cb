import { hash } from 'node:crypto';
import test from 'ava';
import { LANGUAGES } from '../../src/web/languages.ts';
import { contactUrl, openSite, UNNAMED_SITE } from '../../src/web/site.ts';
import { listTexts, translationIn } from '../../src/web/translations.ts';
import { brandedConfig, brandedSite } from './branded-site.ts';

const publicUrl = 'https://app.example:8443';

test('without a configuration, texts name the host, and nothing else changes', (t) => {
  for (const language of LANGUAGES) {
    const texts = UNNAMED_SITE.textsIn(language, publicUrl);
    t.true(texts.verificationMail.subject.includes('app.example:8443'), language);
    t.is(texts.blockPage.heading, translationIn(language).blockPage.heading);
    t.is(texts.verificationPages.timeLeft, translationIn(language).verificationPages.timeLeft);
  }
});

test('texts name an international host in its own letters', (t) => {
  const subjects = ['https://bücher.example', 'https://xn--bcher-kva.example:8443', 'https://[::1]:8000'].map(
    (url) => UNNAMED_SITE.textsIn('en', new URL(url).origin).verificationMail.subject,
  );
  t.deepEqual(
    subjects,
    ['bücher.example', 'bücher.example:8443', '[::1]:8000'].map((host) => `Confirm your sign-up at ${host}`),
  );
});

test('the name stands in every text, in each language', async (t) => {
  const site = await brandedSite(t);
  for (const language of LANGUAGES) {
    const texts = JSON.stringify(site.textsIn(language, publicUrl));
    t.false(texts.includes('{site}'), language);
    t.true(texts.includes('Acme & Söhne'), language);
  }
});

test('own texts replace those of their language alone', async (t) => {
  const own = { 'blockPage.heading': 'Sorry from {site}', 'verificationPages.timeLeft': '{minutes} to go' };
  const site = await openSite({ ...brandedConfig(t), texts: { en: own } });
  const english = site.textsIn('en', publicUrl);
  t.is(english.blockPage.heading, 'Sorry from Acme & Söhne');
  t.is(english.verificationPages.timeLeft, '{minutes} to go');
  t.is(english.blockPage.title, translationIn('en').blockPage.title);
  t.is(site.textsIn('de', publicUrl).blockPage.heading, translationIn('de').blockPage.heading);
});

test('every text has a name', (t) => {
  const names = listTexts().map(({ name }) => name);
  t.is(new Set(names).size, names.length);
  t.true(names.includes('unreadPage.whatToDo.tooLarge'));
});

test('the policy allows the style by its hash, and pictures inside the page only for a site with a logo', async (t) => {
  const options = { sheet: 'block.css', formAction: "'none'" } as const;
  const { css, policy } = (await brandedSite(t)).styleOf(options);
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', css, 'base64')}'`));
  t.true(policy.includes('img-src data:;'));
  t.true(css.includes('--brand: #ffcc00'));
  t.false(UNNAMED_SITE.styleOf(options).policy.includes('img-src'));
});

test('a contact is a mail about the reference, or a page', (t) => {
  const mailbox = { text: 'help+signup@acme.example', isMailbox: true };
  t.is(contactUrl(mailbox, 'MZJ10273'), 'mailto:help%2Bsignup@acme.example?subject=MZJ10273');
  t.is(contactUrl(mailbox, null), 'mailto:help%2Bsignup@acme.example');
  const page = { text: 'https://acme.example/help?a=b', isMailbox: false };
  t.is(contactUrl(page, 'MZJ10273'), 'https://acme.example/help?a=b');
});
