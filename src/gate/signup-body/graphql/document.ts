import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../budgets.ts';
import { compareName, parseFieldPath } from '../field-path.ts';

/** A text that a GraphQL server may run. */
export interface GraphqlDocument {
  readonly text: string;
  /** Its tokens without comments; null when lexers disagree about them. Read once, on the first call. */
  readonly tokens: () => readonly string[] | null;
}

/** Five times the size of an introspection query with all fragments written out. */
const MAX_DOCUMENT_CHARACTERS = 50_000;
/** The limit for all documents of one request together: about 5 ms. */
const MAX_CHARACTERS_A_REQUEST = 200_000;

/** Measured, in units of the budget. */
const CHARACTER_COST = 25;

/** One path for all names: a new one costs ten times a comparison. */
const FIELD = parseFieldPath('query');

/** Whether some server reads the document from a field with this name. */
export function isQueryField(name: string, budget: WorkBudget): boolean {
  const match = compareName(name, FIELD, budget);
  return match === 'exact' || match === 'lookalike';
}

/** Reads the documents of one request within one limit. */
export type DocumentReader = (text: string) => GraphqlDocument;

export function createDocumentReader(budget: WorkBudget): DocumentReader {
  let left = MAX_CHARACTERS_A_REQUEST;
  return (text) => {
    // At a NUL, some lexers end the text, some skip it, and some end a comment.
    if (text.includes('\0')) {
      throw new ProblemError('invalid_request', 'The GraphQL document holds a NUL.');
    }
    let tokens: readonly string[] | null | undefined;
    return {
      text,
      tokens() {
        if (tokens !== undefined) return tokens;
        left -= text.length;
        budget.spend(text.length * CHARACTER_COST);
        if (text.length > MAX_DOCUMENT_CHARACTERS || left < 0)
          throw new ProblemError('payload_too_large', 'The GraphQL document is too long to be read.');
        tokens = tokenize(text);
        return tokens;
      },
    };
  };
}

/**
 * Every token that all lexers read alike (GraphQL specification, section 2.1): ignored characters, block strings,
 * strings, names and variables, numbers, punctuators. A block string with a quote inside is excluded: lexers from
 * before 2018 (graphql-core 2) read several strings there, and a mutation between two of them.
 */
const TOKEN =
  /[\t\n\r ,\ufeff]+|#[^\n\r]*|"""[^"]*"""(?!")|"(?!"")(?:[^"\\\n\r]|\\["\\/bfnrtu])*"|\$?[A-Za-z_]\w*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|\.\.\.|[!$&()[\]:=@{|}]/gy;
/**
 * Characters that end a line or a text for some lexers and belong to it for others, and a byte order mark inside a
 * possible name.
 */
const UNCLEAR = /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]|\w\ufeff+\w/u;

function tokenize(text: string): readonly string[] | null {
  if (UNCLEAR.test(text)) return null;
  // Ends at text that is not a token. A search beyond it would try a long number from each of its digits.
  const all = text.match(TOKEN) ?? [];
  const length = all.reduce((sum, token) => sum + token.length, 0);
  return length === text.length ? all.filter((token) => !IGNORED.has(token[0])) : null;
}

/** The first characters of white space, commas, marks and comments. */
const IGNORED: ReadonlySet<string | undefined> = new Set(['\t', '\n', '\r', ' ', ',', '\ufeff', '#']);

/** Whether every server reads the text as a document; a hash or a name of a stored document has no selection. */
export function isDocument({ text, tokens }: GraphqlDocument): boolean {
  return text.length <= MAX_DOCUMENT_CHARACTERS && text.includes('{') && (tokens()?.includes('{') ?? false);
}

/**
 * Whether a document may hold a name, in any case. When lexers disagree, a comment or a string with the name counts
 * too: some server may run it.
 * @param name In lower case.
 */
export function mayName({ text, tokens }: GraphqlDocument, name: string): boolean {
  // Without the characters that some lexer might skip inside a name. Nearly every document returns here.
  const shown = /[^\t\n\r -~]/.test(text) ? text.replace(/[^\t\n\r -~]+/g, '') : text;
  if (!shown.toLowerCase().includes(name)) return false;
  return tokens()?.some((token) => token.length === name.length && token.toLowerCase() === name) ?? true;
}
