import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import { at, type Page, parsePage, ROOT, readPages } from './read-page.ts';

const pages = readPages();

/** Relative links to missing files, and anchors without a heading. Links to other hosts are not followed. */
function deadLinks(page: Page, known: readonly Page[]): string[] {
  return page.links.flatMap((link) => {
    if (/^[a-z]+:/i.test(link.text)) return [];
    const [path = '', anchor] = decodeURI(link.text).split('#');
    const target = path === '' ? page.path : normalize(join(dirname(page.path), path));
    const isThere = target === page.path || (!target.startsWith('..') && existsSync(join(ROOT, target)));
    if (!isThere) return [at(page, link, `leads nowhere: ${link.text}`)];
    if (anchor === undefined) return [];
    const read = target === page.path ? page : known.find((other) => other.path === target);
    return read?.anchors.has(anchor) ? [] : [at(page, link, `has no such heading: ${link.text}`)];
  });
}

test('every relative link of the documentation leads to a file, and every anchor to a heading', (t) => {
  t.true(pages.length > 25);
  t.deepEqual(
    pages.flatMap((page) => deadLinks(page, pages)),
    [],
  );
});

test('a link to a missing page, file, picture or heading is found', (t) => {
  const planted = `# The order

[a](#the-order) [b](https://example.com/gone) [c](api.md#the-order-of-checks) [d](../examples/)

[one](no-such-page.md)
![two](screenshots/none.png)

| [three](#the-ordre) |
|---|
| [four](api.md#no-such-heading) |
`;
  t.deepEqual(deadLinks(parsePage('docs/planted.md', planted), pages), [
    'docs/planted.md:5 leads nowhere: no-such-page.md',
    'docs/planted.md:5 leads nowhere: screenshots/none.png',
    'docs/planted.md:8 has no such heading: #the-ordre',
    'docs/planted.md:8 has no such heading: api.md#no-such-heading',
  ]);
});

test('the index of the documentation names every page of it', (t) => {
  const index = pages.find(({ path }) => path === 'docs/README.md');
  const named = new Set(index?.links.map(({ text }) => text));
  const ofDocs = pages.filter(({ path }) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md');
  t.deepEqual(
    ofDocs.map(({ path }) => path.slice('docs/'.length)).filter((path) => !named.has(path)),
    [],
  );
});
