import { createDomainTableBuilder } from '../../src/datasets/domain-set.ts';
import type { DataSource } from './npm-package.ts';

/** A data set ready to be written. */
export interface BuiltSet {
  readonly name: string;
  /** File name to content. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly sources: readonly DataSource[];
  readonly entries: number;
}

type Sources = readonly DataSource[];

export function domainSet(name: string, domains: readonly string[], sources: Sources): BuiltSet {
  // The table's layout depends on the order of the names; sorted, the same names give the same bytes.
  const builder = createDomainTableBuilder(domains.length);
  for (const domain of domains.toSorted()) builder.add(domain);
  const content = new Uint8Array(builder.table.buffer);
  return { name, files: { [`${name}.domains`]: content }, sources, entries: domains.length };
}

export function textSet(name: string, lines: readonly string[], sources: Sources): BuiltSet {
  const content = new TextEncoder().encode(`${lines.join('\n')}\n`);
  return { name, files: { [`${name}.txt`]: content }, sources, entries: lines.length };
}
