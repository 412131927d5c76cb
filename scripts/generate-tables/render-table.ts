import { createTableReader } from './table-reader.ts';
import type { Table } from './tables.ts';

/** The module for one table. Its text is valid only when there are no issues. */
export function renderTable(
  table: Table,
  yaml: string,
): { readonly text: string; readonly issues: readonly string[] } {
  const source = `data/${table.source}`;
  const reader = createTableReader(source, yaml);
  const head = `// Generated from ${source} by scripts/generate-tables.ts. Edit that file, then run: npm run tables`;
  const body = reader.issues.length > 0 ? '' : table.render(reader);
  return { text: `${head}\n${body}`, issues: reader.issues };
}
