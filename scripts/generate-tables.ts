/**
 * Makes modules of `src` from the tables in `data`, so that a start reads and checks nothing: `npm run tables`.
 * `tsx scripts/generate-tables.ts --check` writes nothing and exits 1 when a committed module is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderTable } from './generate-tables/render-table.ts';
import { TABLES } from './generate-tables/tables.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const isCheck = process.argv.includes('--check');

for (const table of TABLES) {
  const source = `data/${table.source}`;
  const { text, issues } = renderTable(table, readFileSync(join(root, source), 'utf8'));
  const module = `src/${table.module}`;
  if (issues.length > 0) {
    for (const issue of issues) console.error(issue);
    process.exitCode = 1;
  } else if (readIfThere(join(root, module)) !== text) {
    if (isCheck) {
      console.error(`${module} is stale; run: npm run tables`);
      process.exitCode = 1;
    } else {
      writeFileSync(join(root, module), text);
      console.log(`wrote ${module}`);
    }
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
