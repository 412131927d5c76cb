import type { WorkBudget } from '../../budgets.ts';
import { ambiguous, jsonFields } from '../body-fields.ts';
import { type FieldPath, foldName } from '../field-path.ts';
import { type GraphqlDocument, mayName } from './document.ts';
import type { GraphqlRequest, GraphqlVariable } from './graphql-request.ts';
import { runsDocumentsAlone } from './may-operate.ts';

/** Servers normalize these characters to `@`, so they count as one. */
const AT = /[@\uff20\ufe6b]/;
/** `jane@example.com`, with a character other than `@` at both ends. */
const ADDRESS = /^[^\s@\uff20\ufe6b]\S*[^\s@\uff20\ufe6b]$/;
/** `Jane <jane@example.com>` */
const NAMED_ADDRESS = /<[^<>\s@\uff20\ufe6b]+[@\uff20\ufe6b][^<>\s@\uff20\ufe6b]+>$/;
/** `"Jane Doe"@example.com` */
const QUOTED_ADDRESS = /^"[^"]*"[@\uff20\ufe6b]\S+$/;
const URL_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Four times the length of an address (RFC 5321 section 4.5.3.1), for a name beside it. */
const MAX_CHARACTERS = 1_280;

/**
 * Refuses a signup whose email may come from outside the configured places: written into the document, read from
 * another variable, inserted by an upload, or given in the target's query.
 * @param operation The name in the route's condition; null when any operation matches.
 * @throws {ProblemError} `invalid_request`.
 */
export function refuseOtherEmails(
  request: GraphqlRequest,
  emailPaths: readonly FieldPath[],
  operation: string | null,
): void {
  const [path = []] = emailPaths;
  if (request.otherVariables !== 'none') throw ambiguous(path, 'variables are in more than one place');
  if (request.uploads.some((place) => emailPaths.some((email) => isWithin(place, email))))
    throw ambiguous(path, 'a file replaces it');
  const emails = new Set(emailPaths.flatMap((place) => addressAt(request, place)));
  const used = new Set<string>();
  for (const document of request.documents) {
    const isSignup = operation === null || mayName(document, foldName(operation));
    for (const name of readUse(document, { request, emailPaths, emails, isSignup })) used.add(name);
  }
  const isKnown = runsDocumentsAlone(request);
  const configured = new Set(emailPaths.map(([, variable]) => variable));
  for (const variable of request.variables) {
    const [name] = variable;
    if (!configured.has(name) && (!isKnown || used.has(name)))
      refuseVariable(variable, { emailPaths, emails, budget: request.budget });
  }
}

interface Use {
  readonly request: GraphqlRequest;
  readonly emailPaths: readonly FieldPath[];
  /** The name in lower case. */
  readonly emails: ReadonlySet<string>;
  /** Whether the document may be the signup. */
  readonly isSignup: boolean;
}

/** Checks the sources of a document's values. Returns the variables it uses. */
function readUse(document: GraphqlDocument, { request, emailPaths, emails, isSignup }: Use): Set<string> {
  const [path = []] = emailPaths;
  const tokens = document.tokens();
  if (tokens === null) throw ambiguous(path, 'servers read the document differently');
  if (tokens.some((token) => token.startsWith('"') && /[@\uff20\ufe6b]|\\u/.test(token)))
    throw ambiguous(path, 'the document itself holds an address');
  // A document that is stored today can run tomorrow with other variables.
  const sent = new Set(request.variables.flatMap(([name, value]) => (value === null ? [] : [name])));
  const counts = (name: string) => sent.has(name) || request.references.length > 0;
  const used = new Set<string>();
  let argument = '';
  for (const [i, token] of tokens.entries()) {
    const name = token.slice(1);
    if (token === ':') argument = tokens[i - 1] ?? '';
    else if (!token.startsWith('$')) {
      if (token !== '[') argument = '';
    } else if (name !== '' && tokens[i + 1] !== ':') {
      // A colon after the name would make it a declaration.
      used.add(name);
      if (counts(name) && !mayFill(argument, name, emailPaths))
        throw ambiguous(path, 'the document reads it from another variable');
    }
  }
  const isTaken = emailPaths.some(([, variable = '']) => used.has(variable));
  const isWithEmail = emails.size > 0 || request.references.length > 0;
  if (isSignup && isWithEmail && !isTaken && [...used].some(counts))
    throw ambiguous(path, 'the document reads another variable');
  return used;
}

/** An argument named like the email, or like the variable of the email, takes its value from that variable only. */
function mayFill(argument: string, variable: string, emailPaths: readonly FieldPath[]): boolean {
  const folded = foldName(argument);
  return emailPaths.every(([, configured = '', ...rest]) => {
    const isEmail = folded === foldName(rest.at(-1) ?? configured);
    if (isEmail && rest.length > 0)
      return emailPaths.some((other) => other.length === 2 && other[1] === variable);
    if (!isEmail && folded !== foldName(configured)) return true;
    return emailPaths.some((other) => other[1] === variable);
  });
}

function refuseVariable(
  [name, value]: GraphqlVariable,
  { emailPaths, emails, budget }: Pick<Use, 'emailPaths' | 'emails'> & { readonly budget: WorkBudget },
): void {
  const [path = []] = emailPaths;
  const isOther = emailPaths.some(([, , ...rest]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const email = isObject && rest.length > 0 ? jsonFields(value, budget).find(rest) : undefined;
    return email !== undefined && email !== null && !emails.has(String(email).trim().toLowerCase());
  });
  if (isOther || holdsAddress(value, emails))
    throw ambiguous(path, `the variable "${name.slice(0, 50)}" holds another one`);
}

/**
 * Whether a value, or a value inside it, is a mailbox that is not in the list. A text with an address among other words
 * does not count. Each line of a text, and each member of a list in it, is checked separately.
 * @param except In lower case.
 */
function holdsAddress(value: unknown, except: ReadonlySet<string>): boolean {
  if (typeof value === 'string') {
    if (!AT.test(value)) return false;
    return value.split(/[\r\n,;]/).some((part) => isAddress(part.trim(), except));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => holdsAddress(member, except));
}

function isAddress(text: string, except: ReadonlySet<string>): boolean {
  if (text.length > MAX_CHARACTERS || !AT.test(text) || except.has(text.toLowerCase())) return false;
  if (URL_SCHEME.test(text)) return false;
  return ADDRESS.test(text) || NAMED_ADDRESS.test(text) || QUOTED_ADDRESS.test(text);
}

function addressAt({ fields }: GraphqlRequest, path: FieldPath): string[] {
  const value = fields.find(path);
  return typeof value === 'string' && value.trim() !== '' ? [value.trim().toLowerCase()] : [];
}

/** Whether a file at one place changes the value at the other. */
function isWithin(place: FieldPath, other: FieldPath): boolean {
  const length = Math.min(place.length, other.length);
  return place.slice(0, length).every((segment, i) => foldName(segment) === foldName(other[i] ?? ''));
}
