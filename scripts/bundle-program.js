// Bundles the compiled program: `node scripts/bundle-program.js dist`. The command line, a worker process and the threads
// load a few files in place of a thousand, and start in half the CPU time. The modules stay where they are, for the library.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { _ } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const ENTRIES = [
  'cli/main.js',
  'cli/config-worker.js',
  'workers/worker-main.js',
  'storage/engine/reader/reader-worker.js',
  'signup-file/file-worker.js',
];
const FOLDER = 'program';
/** Many small modules each, with what they need. Other packages stay packages, so that an update of one takes effect. */
const BUNDLED_PACKAGES = /^(?:kysely|@sinclair\/typebox|yaml|ajv)(?:\/|$)/;
/** Packages in CommonJS load modules of Node with `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);";

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/bundle-program.js FOLDER');
const code = fileURLToPath(new URL(`../${folder}/`, import.meta.url));

// Parts of an earlier build have other names.
rmSync(join(code, FOLDER), { recursive: true, force: true });
await build({
  absWorkingDir: code,
  entryPoints: ENTRIES,
  entryNames: '[name]',
  chunkNames: 'part-[hash]',
  outdir: FOLDER,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: REQUIRE },
  logLevel: 'warning',
  plugins: [
    { name: 'program', setup: leaveOutPackages },
    { name: 'made at build', setup: makeAtBuild },
    { name: 'places', setup: keepPlaces },
  ],
});

// The doors to the program keep their paths.
for (const entry of ENTRIES) {
  const file = join(code, entry);
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
  const toRoot = '../'.repeat(entry.split('/').length - 1);
  const name = entry.slice(entry.lastIndexOf('/') + 1);
  writeFileSync(file, `${first.startsWith('#!') ? `${first}\n` : ''}import '${toRoot}${FOLDER}/${name}';\n`);
}

function leaveOutPackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
    const isBundled =
      kind === 'entry-point' || BUNDLED_PACKAGES.test(path) || /[\\/]node_modules[\\/]/.test(importer);
    return isBundled ? undefined : { path, external: true };
  });
}

/** A module finds files by its own place, which stays that of the module and not of the bundle. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\.js$/ }, ({ path }) => {
    const place = relative(code, path).split(sep).join('/');
    const text = readFileSync(path, 'utf8');
    if (place.startsWith('../') || !text.includes('import.meta.url')) return undefined;
    const url = `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`;
    return { contents: text.replaceAll('import.meta.url', url), loader: 'js' };
  });
}

/**
 * What a start would make of the configuration's schema and of its defaults each time: the functions of the validator, as
 * code, and the document. Making them takes an eighth of a start.
 */
function makeAtBuild({ onLoad }) {
  const made = (name, contentsOf) =>
    onLoad({ filter: new RegExp(`[\\\\/]config[\\\\/]${name}\\.js$`) }, async ({ path }) => {
      const load = (module) => import(pathToFileURL(join(dirname(path), module)).href);
      return { contents: await contentsOf(load), loader: 'js', resolveDir: dirname(path) };
    });
  made('compile-config-schema', async (load) => {
    const { openConfigAjv } = await load('config-ajv.js');
    const { configSchema } = await load('config-schema.js');
    const ajv = openConfigAjv({ source: true, esm: true, formats: _`formats` });
    return `import { FORMATS } from './formats.js';
const formats = Object.fromEntries(Object.entries(FORMATS).map(([name, { accepts }]) => [name, accepts]));
${standaloneCode(ajv, ajv.compile(configSchema))}
export const compileConfigSchema = () => validate;
`;
  });
  made('read-defaults', async (load) => {
    const { readDefaults } = await load('read-defaults.js');
    return `export const readDefaults = () => (${JSON.stringify(readDefaults())});\n`;
  });
}
