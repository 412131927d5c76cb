const LINE_WIDTH = 110;

export function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : String(value);
}

/** A list as TypeScript spells it, several items a line. */
export function list(items: readonly (string | number)[], indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    const piece = `${literal(item)},`;
    if (line !== '' && indent.length + 2 + line.length + 1 + piece.length > LINE_WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? piece : ` ${piece}`;
  }
  if (line !== '') lines.push(line);
  return ['[', ...lines.map((text) => `${indent}  ${text}`), `${indent}]`].join('\n');
}
