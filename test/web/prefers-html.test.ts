import test from 'ava';
import { prefersHtml } from '../../src/web/prefers-html.ts';

const readers: readonly [who: string, accept: string | undefined, page: boolean][] = [
  ['Chrome', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['Safari', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['an old Internet Explorer', 'text/html, application/xhtml+xml, */*', true],
  ['Turbo', 'text/vnd.turbo-stream.html, text/html, application/xhtml+xml', true],
  ['lynx', 'text/html, text/plain, text/sgml;q=0.01, */*;q=0.01', true],
  ['a client that accepts any text', 'text/*', true],
  ['a client that writes capital letters', 'TEXT/HTML', true],
  ['curl and fetch', '*/*', false],
  ['a client without Accept', undefined, false],
  ['an empty header', '', false],
  ['axios', 'application/json, text/plain, */*', false],
  ['jQuery', 'application/json, text/javascript, */*; q=0.01', false],
  ['a program that can read pages', 'application/json, text/html;q=0.9', false],
  ['a program that knows problem documents', 'text/html;q=0.5, application/problem+json', false],
  ['a program that accepts both with the same quality', 'text/html, application/json', false],
  ['a program that refuses pages', 'text/html;q=0, */*', false],
  ['a program that refuses everything', '*/*;q=0', false],
  ['a quality that is none', 'text/html;q=high', false],
  ['garbage', ';;;,,,q=1,/;q=', false],
];
for (const [who, accept, page] of readers) {
  test(`${who} gets a ${page ? 'page' : 'problem document'}`, (t) => {
    t.is(prefersHtml({ accept }), page);
  });
}

test('a quality of zero for HTML wins over a wildcard', (t) => {
  t.false(prefersHtml({ accept: 'text/html;q=0, text/*;q=1' }));
});

test('a header as long as a head can be is read in a moment', (t) => {
  t.false(prefersHtml({ accept: 'application/json,'.repeat(1_000) }));
});

const anyType: readonly [userAgent: string, page: boolean][] = [
  ['Links (2.28; Linux 6.1.0 x86_64; GNU C 12.2; text)', true],
  ['ELinks/0.13.2 (textmode; Linux 6.1.0 x86_64; 100x50-2)', true],
  ['ELinks (0.4.3; NetBSD 3.0.2; 141x19)', true],
  ['NetSurf/3.10 (Linux)', true],
  ['Mozilla/5.0 (X11; Linux) NetSurf/3.11', true],
  ['edbrowse/3.7.7', true],
  ['curl/8.14.1', false],
  ['LinksChecker/1.0', false],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15',
    false,
  ],
];
for (const [userAgent, page] of anyType) {
  test(`${userAgent}, which accepts any type, gets a ${page ? 'page' : 'problem document'}`, (t) => {
    t.is(prefersHtml({ accept: '*/*', 'user-agent': userAgent }), page);
    t.false(prefersHtml({ accept: 'application/json', 'user-agent': userAgent }));
  });
}

for (const [library, field] of [
  ['htmx', 'hx-request'],
  ['Unpoly', 'x-up-version'],
] as const) {
  test(`${library}, which puts answers into a page, gets a page unless it asks for JSON`, (t) => {
    t.true(prefersHtml({ accept: '*/*', [field]: '1' }));
    t.false(prefersHtml({ accept: 'application/json', [field]: '1' }));
    t.false(prefersHtml({ [field]: '1' }));
  });
}
