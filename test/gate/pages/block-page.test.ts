import { hash } from 'node:crypto';
import test from 'ava';
import { builtInBlockPage, templateBlockPage } from '../../../src/gate/pages/block-page.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { translationIn } from '../../../src/web/translations.ts';

const REQUEST_ID = '01a1fc84-08e3-7e73-88db-1a31297138ba';
const REFERENCE = 'MZJ10273';

for (const language of LANGUAGES) {
  test(`the page in "${language}" declares its language, has one heading, and shows the reference and the request id`, (t) => {
    const { html } = builtInBlockPage({ language, requestId: REQUEST_ID, reference: REFERENCE });
    t.true(html.startsWith(`<!doctype html>\n<html lang="${language}">`));
    t.true(html.includes(`<title>${translationIn(language).blockPage.title}</title>`));
    t.is(html.match(/<h1>/g)?.length, 1);
    t.true(html.includes(`<strong>${REFERENCE}</strong><code>${REQUEST_ID}</code>`));
  });
}

test('the page loads nothing and runs nothing', (t) => {
  const { html } = builtInBlockPage({ language: 'en', requestId: REQUEST_ID, reference: REFERENCE });
  t.notRegex(html, /<(?:script|img|link|iframe|form|object)\b|\bsrc=|\bon\w+=|url\(|@import|https?:/i);
});

test('the policy allows the one style sheet in the page, by its hash', (t) => {
  const { html, policy } = builtInBlockPage({ language: 'en', requestId: REQUEST_ID, reference: REFERENCE });
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`));
  t.true(policy.startsWith("default-src 'none';"));
  t.false(policy.includes('unsafe'));
});

test("an operator's template gets the reference, the request id and the language at every place", (t) => {
  const page = templateBlockPage('<html lang="{{lang}}"><p>{{ request_id }} {{request_id}} {{reference}}');
  t.is(
    page({ language: 'fr', requestId: REQUEST_ID, reference: REFERENCE }).html,
    `<html lang="fr"><p>${REQUEST_ID} ${REQUEST_ID} ${REFERENCE}`,
  );
});

test('other braces of a template stay as they are', (t) => {
  const template = '<style>a{b{c}}</style>{{reason}} {{request_id {{email}} {request_id}';
  t.is(
    templateBlockPage(template)({ language: 'en', requestId: REQUEST_ID, reference: REFERENCE }).html,
    template,
  );
});

test('values in a template are escaped', (t) => {
  const { html } = templateBlockPage('{{request_id}}')({
    language: 'en',
    requestId: `<"'&$&$1`,
    reference: null,
  });
  t.is(html, '&lt;&quot;&#39;&amp;$&amp;$1');
});

test('a template may load from its own site and nowhere else, and runs nothing', (t) => {
  const { policy } = templateBlockPage('')({ language: 'en', requestId: REQUEST_ID, reference: REFERENCE });
  t.true(policy.startsWith("default-src 'none';"));
  t.notRegex(policy, /script-src|https?:|\*/);
});
