import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDomainName } from '../../src/addresses/email-address.ts';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * Registrable domains of the mailboxes and sites that authors of the installed packages name: people who write public
 * software, many with a domain of their own. Sorted.
 */
export function readAuthorDomains(): readonly string[] {
  const domains = new Set<string>();
  for (const text of packagesIn(MODULES).flatMap(authorsOf)) {
    const host = /@([^>\s)]+)>?/.exec(text)?.[1] ?? /https?:\/\/([^/\s)>:]+)/.exec(text)?.[1];
    const domain = host && parseDomainName(host.toLowerCase());
    if (domain && domain.registrable !== null && domain.suffixKind !== 'unknown') {
      domains.add(domain.registrable);
    }
  }
  return [...domains].sort();
}

type Person = string | { readonly email?: string; readonly url?: string };

interface PackageFile {
  readonly author?: Person;
  readonly maintainers?: readonly Person[];
  readonly contributors?: readonly Person[];
  readonly homepage?: string;
}

function authorsOf(folder: string): string[] {
  const { author, maintainers, contributors, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as PackageFile;
  const people = [author, ...listOf(maintainers), ...listOf(contributors)];
  const texts = people.flatMap((person) => {
    if (!person) return [];
    return typeof person === 'string' ? person.split(/(?=[<(])/) : [`<${person.email}>`, person.url ?? ''];
  });
  return [...texts, homepage].filter((text) => typeof text === 'string');
}

/** Some packages write one person, or an object, in place of a list. */
function listOf(people: unknown): readonly Person[] {
  return Array.isArray(people) ? people : [];
}

/** The folders directly in `node_modules`, and in its scopes, that hold a package. */
function packagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) return packagesIn(path);
    return readdirSync(path).includes('package.json') ? [path] : [];
  });
}
