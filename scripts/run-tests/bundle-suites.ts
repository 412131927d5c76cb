import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Many small modules each, that most suites load. All other packages stay packages. */
const BUNDLED_PACKAGES =
  /^(?:kysely|@sinclair\/typebox|fast-check|pure-rand|preact|preact-render-to-string|yaml|ajv|undici|koa|koa-bodyparser|@koa\/router)(?:\/|$)/;

/** They look at single files of the project. */
const UNBUNDLED = /\/(?:files-of-a-signup|linear-patterns)\./;

/** In parts, because the suite of this file is bundled too. */
const OWN_URL = ['import', 'meta', 'url'].join('.');
/** Packages in CommonJS call it. */
const REQUIRE = `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(${OWN_URL});`;

/**
 * Bundles compiled test files in place, with parts that they share. A test process then loads a few files in place of
 * hundreds, and starts in half the CPU time. A module still finds files by its own place.
 * @param project the folder of the compiled project.
 * @param files the test files, as paths from it.
 * @param limitedTest the module that takes the place of AVA in them; it imports AVA itself.
 */
export async function bundleSuites(
  project: string,
  files: readonly string[],
  limitedTest: string,
): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: files.filter((file) => !UNBUNDLED.test(file)),
    outdir: project,
    outbase: project,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'test/shared/parts/[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: REQUIRE },
    logLevel: 'warning',
    plugins: [limitTests(limitedTest), PLACES],
  });
}

function limitTests(limitedTest: string): Plugin {
  return {
    name: 'limited tests',
    setup({ onResolve }) {
      onResolve({ filter: /^ava$/ }, ({ importer }) =>
        importer === limitedTest ? undefined : { path: limitedTest },
      );
    },
  };
}

const PLACES: Plugin = {
  name: 'places',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED_PACKAGES.test(path) ? undefined : { path, external: true },
    );
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = path.includes('/node_modules/') ? '' : readFileSync(path, 'utf8');
      if (!/\bimport\.meta\.(?:url|dirname)\b/.test(text)) return undefined;
      return {
        contents: text
          .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
          .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path))),
        loader: 'js',
      };
    });
  },
};
