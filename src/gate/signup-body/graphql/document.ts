import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../work-budget.ts';

/** A text that a GraphQL server may run. */
export interface GraphqlDocument {
  readonly text: string;
  /** Its tokens without comments, or null where lexers differ about them. Read once, when first asked for. */
  readonly tokens: () => readonly string[] | null;
}

/** Five times what introspection needs with every fragment written out. */
const MAX_DOCUMENT_CHARACTERS = 50_000;
/** Of all documents of one request together: about 5 ms. */
const MAX_CHARACTERS_A_REQUEST = 200_000;

/** Measured, in units of the budget. */
const CHARACTER_COST = 25;

/** Reads the documents of one request, within one limit. */
export type DocumentReader = (text: string) => GraphqlDocument;

export function createDocumentReader(budget: WorkBudget): DocumentReader {
  let left = MAX_CHARACTERS_A_REQUEST;
  return (text) => {
    // Some lexers end there, some skip it, some take it for the end of a comment.
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
 * Every token that all lexers read alike (GraphQL specification, section 2.1): what is ignored, block strings, strings,
 * names and variables, numbers, punctuators. A block string with a quote inside is not one of them: lexers from before
 * 2018 (graphql-core 2) see several strings there, and a mutation between two of them.
 */
const TOKEN =
  /[\t\n\r ,\ufeff]+|#[^\n\r]*|"""[^"]*"""(?!")|"(?!"")(?:[^"\\\n\r]|\\["\\/bfnrtu])*"|\$?[A-Za-z_]\w*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|\.\.\.|[!$&()[\]:=@{|}]/g;
/** Characters that end a line or a text for some and are part of it for others, and a mark within what may be a name. */
const UNCLEAR = /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]|\w\ufeff+\w/u;

function tokenize(text: string): readonly string[] | null {
  if (UNCLEAR.test(text)) return null;
  // Something that is no token leaves a gap.
  const all = text.match(TOKEN) ?? [];
  const length = all.reduce((sum, token) => sum + token.length, 0);
  return length === text.length ? all.filter((token) => !IGNORED.has(token[0])) : null;
}

/** How white space, commas, marks and comments begin. */
const IGNORED: ReadonlySet<string | undefined> = new Set(['\t', '\n', '\r', ' ', ',', '\ufeff', '#']);

/** Whether all servers take it for a document; a hash or another name of a stored one has no selection. */
export function isDocument({ text, tokens }: GraphqlDocument): boolean {
  return text.length <= MAX_DOCUMENT_CHARACTERS && text.includes('{') && (tokens()?.includes('{') ?? false);
}

/**
 * Whether a document may hold a name, in whatever case. Where lexers differ about it, a comment or a string that holds
 * the name may be more than that to some server.
 *
 * @param name In lower case.
 */
export function mayName({ text, tokens }: GraphqlDocument, name: string): boolean {
  // Without what some lexer might skip within a name. Nearly every document ends here.
  const shown = /[^\t\n\r -~]/.test(text) ? text.replace(/[^\t\n\r -~]+/g, '') : text;
  if (!shown.toLowerCase().includes(name)) return false;
  return tokens()?.some((token) => token.length === name.length && token.toLowerCase() === name) ?? true;
}
