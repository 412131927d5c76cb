import test from 'ava';
import { caniemail } from 'caniemail';
import { html } from '../../src/web/html.ts';
import { contactLine, mailButton, mailCode, mailFrame } from '../../src/web/mail-frame.ts';
import { type Site, UNNAMED_SITE } from '../../src/web/site.ts';
import { brandedSite } from './branded-site.ts';

const publicUrl = 'https://app.example';
const linkTo = 'https://app.example/.gatekeeper/verify/0123456789';

function frame(site: Site, content = html`<p>Some text.</p>`) {
  const contact = contactLine(site, site.textsIn('de', publicUrl));
  return mailFrame({
    ...{ language: 'de', subject: 'A <b> & "c"', content },
    ...{ site, publicUrl, contact },
  });
}

test('a mail names its language and its subject, and loads nothing', (t) => {
  const { html: text, pictures } = frame(UNNAMED_SITE, html`<p>${'<i>'}</p>`);
  t.regex(text, /^<!DOCTYPE html>\n<html lang="de">/);
  t.true(text.includes('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>'));
  t.true(text.includes('<p>&lt;i&gt;</p>'));
  t.notRegex(text, /<(?:img|link|script)|src=|url\(/);
  t.deepEqual(pictures, []);
});

test('a link is a button and text, and cannot end its attribute', (t) => {
  const { html: button } = mailButton('https://app.example/"><img src=x>', 'Confirm', UNNAMED_SITE);
  t.is(button.match(/href="https:\/\/app\.example\/&quot;&gt;&lt;img src=x&gt;"/g)?.length, 2);
  t.true(button.includes('>Confirm</a>'));
});

test('a mail of a branded site carries its logo, its colour and the way to reach its owner', async (t) => {
  const site = await brandedSite(t);
  const { html: text, pictures } = frame(site, mailButton(linkTo, 'Weiter', site));
  t.deepEqual(
    pictures?.map(({ id, type, bytes }) => [id, type, bytes.length > 0]),
    [['logo@gatekeeper', 'image/png', true]],
  );
  t.regex(text, /<img src="cid:logo@gatekeeper" alt="Acme &amp; Söhne"/);
  t.notRegex(text, /src="(?!cid:)|url\(/);
  t.true(text.includes('background-color:#ffcc00'));
  t.regex(text, /Acme &amp; Söhne kontaktieren: <a class="link" href="mailto:help@acme\.example"/);
});

test('a logo that mail programs do not show is left out, and the name stands there', async (t) => {
  const site = await brandedSite(t, { logo: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  const { html: text, pictures } = frame(site);
  t.deepEqual(pictures, []);
  t.regex(text, /<p style="[^"]*font-weight:bold">Acme &amp; Söhne<\/p>/);
});

/** What a mail does without in some programs: it then looks plainer, and reads the same. */
const DISPENSABLE = new Set([
  ...['border-radius', 'role attribute', '<body> element', 'word-break'],
  // `line-height`, which the data does not tell from `height`.
  'height property',
  // The dark colours. These programs show the light ones, or darken a mail themselves.
  ...['@media', '<style> element'],
]);

test('what a mail is made of works in Gmail, Outlook, Apple Mail and Yahoo', async (t) => {
  const site = await brandedSite(t);
  const content = html`<p>Text</p>${mailCode('012345')}${mailButton(linkTo, 'Weiter', site)}`;
  const { issues } = caniemail({
    clients: ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*'],
    html: frame(site, content).html,
  });
  const unsupported = [...issues.errors].flatMap(([client, list]) =>
    list.filter(({ title }) => !DISPENSABLE.has(title)).map(({ title }) => `${client}: ${title}`),
  );
  t.deepEqual(unsupported, []);
  t.true(issues.errors.size > 0, 'the data knows what Outlook does not support');
});
