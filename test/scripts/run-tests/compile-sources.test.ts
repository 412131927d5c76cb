import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { compileSources } from '../../../scripts/run-tests/compile-sources.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('each module is compiled to its own file, and imports the compiled ones, packages and JSON', async (t) => {
  const [root, project] = [temporaryFolder(t), temporaryFolder(t)];
  const files = {
    'src/greet.ts':
      "import type { Name } from './name.ts';\nexport const greet = (name: Name) => 'Hello ' + name;\n",
    'src/name.ts': 'export type Name = string;\n',
    'test/all.ts': [
      "import { join } from 'node:path';",
      "import names from '../data.json' with { type: 'json' };",
      "import { greet } from '../src/greet.ts';",
      "const { later } = await import('./deep/later.tsx');",
      "console.log(join(greet(names.first), later('b')));",
    ].join('\n'),
    'test/deep/later.tsx': 'export const later = (name: string): string => name;\n',
    'scripts/plain.js': 'not read',
    'bench/types.d.ts': 'export type Unused = string;\n',
    'demo/empty.ts': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(join(project, 'data.json'), '{"first": "a"}');
  await compileSources(root, project);
  t.is(execFileSync(process.execPath, ['test/all.js'], { cwd: project, encoding: 'utf8' }), 'Hello a/b\n');
  t.false(readFileSync(join(project, 'src/name.js'), 'utf8').includes('Name'));
});
