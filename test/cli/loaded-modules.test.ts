import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { COMMAND, ENV } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** The modules that a command loads: the files that V8 lists in its coverage, and in a bundle what it was made of. */
async function loadedBy(t: ExecutionContext, ...args: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder(t);
  const env = { ...ENV, NODE_V8_COVERAGE: folder };
  await promisify(execFile)(process.execPath, [...COMMAND, ...args], { cwd: folder, env });
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url);
  });
  const files = [...new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)))];
  return files.flatMap((file) => (basename(dirname(file)) === 'program' ? modulesOf(file) : file));
}

/** esbuild writes the name of each module above its code, from the folder of the bundle's modules. */
function modulesOf(bundle: string): readonly string[] {
  const modules = [...readFileSync(bundle, 'utf8').matchAll(/^\/\/ (\S+\.[cm]?js)$/gm)];
  return modules.map(([, name = '']) => join(dirname(dirname(bundle)), name));
}

const isOwn = (file: string) =>
  /\/(?:src|dist)\/[^/]+\/.*\.[jt]sx?$/.test(file) && !file.includes('/node_modules/');

test('--help loads the command line alone, so that it answers at once', async (t) => {
  const files = await loadedBy(t, '--help');
  const own = files.filter(isOwn).map((file) => file.replace(/^.*\/(?:src|dist)\//, ''));
  t.true(
    own.some((file) => /^cli\/program\./.test(file)),
    own.join('\n'),
  );
  t.deepEqual(
    own.filter((file) => !/^(?:cli|config|addresses)\//.test(file)),
    [],
  );
  t.true(own.length < 30, own.join('\n'));
  const packages = new Set(
    files.flatMap((file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  // Those that translate the sources where the suite runs them.
  for (const name of ['tsx', 'esbuild', 'get-tsconfig', 'resolve-pkg-maps']) packages.delete(name);
  t.deepEqual([...packages], ['commander']);
});
