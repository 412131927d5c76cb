import { foldName } from '../field-path.ts';

/** No server uses longer parameter names. */
const MAX_NAME_CHARACTERS = 100;
/** The names as words in lower case, with underscores between them. */
const NAMES_A_DOCUMENT =
  /(?:^|_)(?:docs?|documents?|persisted|stored|hash|sha_?\d*|md_?5|digest)(?:_|$)|^(?:(?:query|operation|op|mutation|graphql|gql)_)?(?:ids?|key)$/;
const LIKE_A_DIGEST = /^(?:[a-z0-9]+:)?(?:[0-9a-f]{32,}|[\w+/-]{43}=?)$/i;

/**
 * Whether a parameter may tell a server which stored document to run. For members of the operation itself, every name
 * that the protocol does not know counts.
 */
export function mayReferTo(name: string, value: string): boolean {
  if (value === '') return false;
  return LIKE_A_DIGEST.test(value) || NAMES_A_DOCUMENT.test(wordsOf(name));
}

/** Treats `persistedQuery[sha256Hash]` and `persisted-query.sha256_hash` alike. */
function wordsOf(name: string): string {
  const separated = name
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return foldName(separated);
}

/** No server uses more names, and each costs a microsecond. */
const MAX_NAMES = 500;

/** All texts and numbers in an operation's `extensions` that may name a stored document. */
export function referencesIn(extensions: unknown): string[] {
  const references: string[] = [];
  let names = 0;
  const visit = (value: unknown, isNamed: boolean): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (text !== '' && (isNamed || LIKE_A_DIGEST.test(text))) references.push(text);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        // The protocol's version of the member beside it.
        if (name === 'version' && typeof member === 'number') continue;
        names++;
        visit(member, isNamed || names > MAX_NAMES || NAMES_A_DOCUMENT.test(wordsOf(name)));
      }
    }
  };
  visit(extensions, false);
  return references;
}
