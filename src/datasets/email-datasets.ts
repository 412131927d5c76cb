import { endianness } from 'node:os';
import type { BuiltInFiles } from './built-in-files.ts';
import type { DomainSet, EmailDatasets } from './datasets.ts';
import { createDomainSet } from './domain-set.ts';

/** The email sets, and the names that a bad feed must not affect. */
export interface BuiltInEmail extends EmailDatasets {
  /** Well-known providers and relays: no feed can mark them as throwaway services. */
  readonly protectedProviders: DomainSet;
}

export function loadEmailDatasets(files: BuiltInFiles): BuiltInEmail {
  const domains = (name: string) => loadDomainSet(files, name);
  return {
    disposable: domains('disposable'),
    suspected: domains('suspected'),
    freeSubdomainHosts: domains('free-subdomain-hosts'),
    freeProviders: domains('free-providers'),
    protectedProviders: domains('protected-providers'),
    academic: domains('academic'),
    government: domains('government'),
    relays: domains('relays'),
    roles: files.read(
      'roles.txt',
      (content) => new Set(new TextDecoder().decode(content).trimEnd().split('\n')),
    ),
  };
}

function loadDomainSet(files: BuiltInFiles, name: string): DomainSet {
  return files.read(`${name}.domains`, (content) => {
    // The file has the byte order of the build machine. Nearly all machines are little-endian.
    if (endianness() === 'BE') Buffer.from(content).swap32();
    return createDomainSet(new Uint32Array(content), files.entriesOf(name));
  });
}
