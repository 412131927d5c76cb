import test from 'ava';
import { headersForHtmx, isInTurboFrame, pageForTurbo } from '../../src/web/whole-page.ts';

const META = '<meta name="turbo-visit-control" content="reload">';

for (const [html, expected] of [
  ['<html><head><title>a</title></head>', `<html><head>${META}<title>a</title></head>`],
  ['<HEAD lang="en">$& x', `<HEAD lang="en">${META}$& x`],
  ['<header>no head</header>', '<header>no head</header>'],
] as const) {
  test(`Turbo loads the page ${html} as a whole where it has a head`, (t) => {
    t.deepEqual(pageForTurbo({ html, policy: 'p' }), { html: expected, policy: 'p' });
  });
}

test('a frame of Turbo has a name in the request', (t) => {
  t.true(isInTurboFrame({ 'turbo-frame': 'signup' }));
  t.false(isInTurboFrame({ accept: 'text/html' }));
});

test('only htmx is led to the page', (t) => {
  t.deepEqual(headersForHtmx({ 'hx-request': 'true' }, '/page'), ['HX-Redirect', '/page']);
  t.deepEqual(headersForHtmx({}, '/page'), []);
});
