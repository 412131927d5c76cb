import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { readLogo } from '../../src/web/logo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { fileWith, pngOf } from './branded-site.ts';

for (const [type, content] of [
  ['image/png', pngOf(2, 2, [1, 2, 3])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ['image/gif', 'GIF89a........'],
  ['image/webp', 'RIFF....WEBPVP8 '],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
  [
    'image/svg+xml',
    '\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg viewBox="0 0 1 1"/>',
  ],
] as const) {
  test(`a logo is known by its content: ${type} of ${content.length} bytes`, async (t) => {
    const logo = await readLogo(fileWith(t, content));
    t.is(logo.type, type);
    t.deepEqual(Buffer.from(logo.url.replace(`data:${type};base64,`, ''), 'base64'), Buffer.from(content));
    t.false(logo.knowsDark);
  });
}

test('a picture that names the dark scheme needs no light ground', async (t) => {
  const style = '<style>@media (prefers-color-scheme: dark) { path { fill: #fff } }</style>';
  t.true((await readLogo(fileWith(t, `<svg xmlns="http://www.w3.org/2000/svg">${style}</svg>`))).knowsDark);
});

test('a page is no picture, however its file is called', async (t) => {
  await t.throwsAsync(readLogo(fileWith(t, '<!doctype html><svg></svg>')), {
    message: /^site\.logo: .*logo is not a PNG, JPEG, GIF, WebP or SVG file\.$/,
  });
  await t.throwsAsync(readLogo(fileWith(t, '')), { message: /is not a PNG/ });
});

test('a missing file, a folder, a pipe and a file that is too large are refused with the reason', async (t) => {
  const folder = temporaryFolder(t);
  await t.throwsAsync(readLogo(join(folder, 'none.png')), { message: /there is no such file/ });
  await t.throwsAsync(readLogo(folder), { message: /is not a regular file/ });
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await t.throwsAsync(readLogo(pipe), { message: /is not a regular file/ });
  await t.throwsAsync(readLogo(fileWith(t, Buffer.alloc(32_769))), {
    message: /has 32769 bytes; make it at most 32 KB/,
  });
});
