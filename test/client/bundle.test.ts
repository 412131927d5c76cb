import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { build } from 'esbuild';

test('the client is one small bundle for any runtime', async (t) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client/client.ts', import.meta.url))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' },
  });
  const [bundle] = outputFiles;
  const bytes = gzipSync(bundle?.contents ?? '').length;
  t.log(`${bytes} bytes compressed, ${bundle?.contents.length} not`);
  t.true(bytes < 4_096, `${bytes} bytes; docs/clients.md says under 4 KB`);
  t.notRegex(bundle?.text ?? '', /\bimport\b|\brequire\(/);
});
