import { hash } from 'node:crypto';
import test from 'ava';
import { builtInBlockPage, templateBlockPage } from '../../../src/gate/pages/block-page.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { translationIn } from '../../../src/web/translations.ts';
import { brandedSite } from '../../web/branded-site.ts';

const REQUEST_ID = '01a1fc84-08e3-7e73-88db-1a31297138ba';
const REFERENCE = 'MZJ10273';

function factsIn(language: string) {
  return { language, site: UNNAMED_SITE, publicUrl: null, requestId: REQUEST_ID, reference: REFERENCE };
}

for (const language of LANGUAGES) {
  test(`the page in "${language}" declares its language, has one heading, and shows the reference and the request id`, (t) => {
    const { html } = builtInBlockPage(factsIn(language));
    t.true(html.startsWith(`<!doctype html>\n<html lang="${language}">`));
    t.true(html.includes(`<title>${translationIn(language).blockPage.title}</title>`));
    t.is(html.match(/<h1>/g)?.length, 1);
    t.true(html.includes(`<div><strong>${REFERENCE}</strong></div><div><code>${REQUEST_ID}</code></div>`));
  });
}

test('without its style sheet, as text browsers show it, no words of the page run together', (t) => {
  const { html } = builtInBlockPage(factsIn('en'));
  t.notRegex(html, /<\/(?:a|code|span|strong)><(?:a|code|span|strong)\b/);
});

test('the page loads nothing and runs nothing', (t) => {
  const { html } = builtInBlockPage(factsIn('en'));
  t.notRegex(html, /<(?:script|img|link|iframe|form|object)\b|\bsrc=|\bon\w+=|url\(|@import|https?:/i);
});

test('the policy allows the one style sheet in the page, by its hash', (t) => {
  const { html, policy } = builtInBlockPage(factsIn('en'));
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`));
  t.true(policy.startsWith("default-src 'none';"));
  t.false(policy.includes('unsafe'));
});

test("an operator's template gets the reference, the request id and the language at every place", (t) => {
  const page = templateBlockPage('<html lang="{{lang}}"><p>{{ request_id }} {{request_id}} {{reference}}');
  t.is(page(factsIn('fr')).html, `<html lang="fr"><p>${REQUEST_ID} ${REQUEST_ID} ${REFERENCE}`);
});

test('other braces of a template stay as they are', (t) => {
  const template = '<style>a{b{c}}</style>{{reason}} {{request_id {{email}} {request_id}';
  t.is(templateBlockPage(template)(factsIn('en')).html, template);
});

test('values in a template are escaped', (t) => {
  const { html } = templateBlockPage('{{request_id}}')({
    ...factsIn('en'),
    requestId: `<"'&$&$1`,
    reference: null,
  });
  t.is(html, '&lt;&quot;&#39;&amp;$&amp;$1');
});

test('a template may load from its own site and nowhere else, and runs nothing', (t) => {
  const { policy } = templateBlockPage('')(factsIn('en'));
  t.true(policy.startsWith("default-src 'none';"));
  t.notRegex(policy, /script-src|https?:|\*/);
});

test('the page of a branded site shows its logo and leads to its owner, with the reference as the subject', async (t) => {
  const facts = { ...factsIn('en'), site: await brandedSite(t), publicUrl: 'https://app.example' };
  const { html, policy } = builtInBlockPage(facts);
  t.regex(
    html,
    /<p class="site"><img class="plate" src="data:image\/png;base64,[^"]+" alt="Acme &amp; Söhne"><\/p>/,
  );
  t.true(
    html.includes(`<a href="mailto:help@acme.example?subject=${REFERENCE}">Contact Acme &amp; Söhne</a>`),
  );
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`));
  t.true(policy.includes('img-src data:'));
  t.notRegex(html, /https?:/);
});

test('a site with a name and no logo shows the name', async (t) => {
  const site = await brandedSite(t, { logo: null, contact: 'https://acme.example/help' });
  const { html } = builtInBlockPage({ ...factsIn('en'), site });
  t.true(html.includes('<p class="site">Acme &amp; Söhne</p>'));
  t.true(html.includes('<a href="https://acme.example/help">Contact Acme &amp; Söhne</a>'));
});
