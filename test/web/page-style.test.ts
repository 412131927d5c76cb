import { hash } from 'node:crypto';
import test from 'ava';
import { renderPage } from '../../src/web/page.tsx';
import { pageStyle } from '../../src/web/page-style.ts';
import { UNNAMED_SITE } from '../../src/web/site.ts';

const block = pageStyle({ sheet: 'block.css', formAction: "'none'" });

test('the style in a page matches the hash in its policy', (t) => {
  const place = { language: 'en', site: UNNAMED_SITE, publicUrl: null };
  const { html, policy } = renderPage({ ...place, title: 'A title', content: null });
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`));
});

test('browsers without light-dark() get the light colours, and the dark colours in a media query', (t) => {
  t.notRegex(block.css, /light-dark|\/\*|\n/);
  const [, light = '', dark = ''] =
    /:root \{(.*?)\}@media \(prefers-color-scheme: dark\) \{ :root \{(.*?)\}/.exec(block.css) ?? [];
  const coloursIn = (text: string) => [...text.matchAll(/(--[\w-]+): #/g)].map(([, name]) => name);
  t.true(coloursIn(light).length >= 10);
  t.deepEqual(coloursIn(dark), coloursIn(light));
});

test('every token that a style uses is one of the tokens', (t) => {
  const { css } = pageStyle({ sheet: 'verification.css', formAction: "'self'" });
  const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  for (const sheet of [css, block.css]) {
    for (const [, name] of sheet.matchAll(/var\((--[\w-]+)\)/g)) t.true(defined.has(name), name);
  }
});
