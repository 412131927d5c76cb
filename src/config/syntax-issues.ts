import { type Document, visit, type YAMLParseError } from 'yaml';

/** A mistake in the syntax of a file, its place, and how to correct it when that is known. */
export interface SyntaxIssue {
  readonly offset: number;
  readonly message: string;
  readonly hint: string | null;
}

type Description = Omit<SyntaxIssue, 'offset'>;
type Problem = Pick<YAMLParseError, 'code' | 'message'>;

/** The line of a mistake, and its parts before and after the place of the mistake. */
interface Line {
  readonly whole: string;
  readonly before: string;
  readonly after: string;
}

/** Describes the errors of the YAML parser for an author who does not know the terms of the specification. */
export function findSyntaxIssues(document: Document.Parsed, text: string): readonly SyntaxIssue[] {
  const { errors } = document;
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const openings = errors.some(isOpenQuote) ? findOpenings(document) : null;
  // Tabs cause errors on the lines around them, so only the tabs are reported.
  return (tabs.length > 0 ? tabs : errors).map((error) => {
    const [noticed] = error.pos;
    const offset = (isOpenQuote(error) ? openings?.get(noticed) : null) ?? noticed;
    return { offset, ...describe(error, lineAt(text, offset)) };
  });
}

function isOpenQuote({ message }: Problem): boolean {
  return message.startsWith('Missing closing');
}

/** Quoted texts by their ends. The parser notices a missing quote only at the end, often many lines below the opening. */
function findOpenings(document: Document.Parsed): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  visit(document, {
    Scalar(_key, { type, range }) {
      if (range && type?.startsWith('QUOTE')) openings.set(range[1], range[0]);
    },
  });
  return openings;
}

function describe(problem: Problem, line: Line): Description {
  if (problem.code === 'MULTIPLE_DOCS')
    return { message: 'a second document begins here', hint: 'keep one document, without ---' };
  const plain = `${problem.message.charAt(0).toLowerCase()}${problem.message.slice(1)}`;
  if (/[{,[:]\s*\$\{/.test(line.whole)) return notYaml(plain, `put quotes around "\${…}"`);
  return describeKnown(problem, line) ?? notYaml(plain);
}

function describeKnown({ code, message }: Problem, line: Line): Description | null {
  switch (code) {
    case 'TAB_AS_INDENT':
      return notYaml('tabs are not allowed as indentation', 'indent with spaces');
    case 'BAD_SCALAR_START':
      return describeStart(message);
    case 'BAD_DQ_ESCAPE':
      return notYaml(
        `${message.slice('Invalid escape sequence '.length)} has no meaning`,
        'write \\\\ for a \\',
      );
    case 'BAD_INDENT':
      return describeIndent(message);
    case 'BLOCK_AS_IMPLICIT_KEY':
      return describeNested(message, line);
    case 'MULTILINE_IMPLICIT_KEY':
      return describeColon(line);
    case 'MISSING_CHAR':
      if (isOpenQuote({ code, message }))
        return notYaml('this quote is not closed', `add the missing ${line.after.charAt(0)}`);
      return message.startsWith('Implicit map keys') ? describeColon(line) : null;
    case 'RESOURCE_EXHAUSTION':
      return notYaml('nested too deeply to be read');
    case 'UNEXPECTED_TOKEN':
      return describeToken(message, line);
    default:
      return null;
  }
}

function describeStart(message: string): Description | null {
  const [, first] = / (\S)$/.exec(message) ?? [];
  return first === undefined
    ? null
    : notYaml(`a value cannot begin with ${first}`, 'put quotes around the value');
}

function describeIndent(message: string): Description {
  const [, kind, end] = /^Flow (map|sequence) .* end with a ([}\]])$/.exec(message) ?? [];
  if (end !== undefined)
    return notYaml(`${kind === 'map' ? '{' : '['} is not closed before this line`, `add the missing ${end}`);
  const parts = message.includes('sequence') ? 'items' : 'keys';
  return notYaml(
    `the line begins in another column than the ${parts} before it`,
    'indent it exactly like the line to which it belongs',
  );
}

/** A key inside a value: on the same line it is text with a colon, on the next line it is indented too far. */
function describeNested(message: string, { after }: Line): Description {
  if (message.includes('sequence'))
    return notYaml(
      'this list item begins in another column than the items before it',
      'indent all items of a list alike',
    );
  return /: /.test(after)
    ? notYaml('the value has a colon and a space, like a key', 'put quotes around the value')
    : notYaml('the next line is indented like a part of this value', 'indent it like the key of this line');
}

function describeColon({ after }: Line): Description {
  const [, key] = /^["']?([\w.-]{1,60})["']?:\S/.exec(after) ?? [];
  return key === undefined
    ? notYaml('this line has no key with a colon', 'write a colon and a space after the key')
    : notYaml(`no space follows the colon of ${key}`, 'write a space after the colon');
}

function describeToken(message: string, { whole, before }: Line): Description | null {
  if (before === '' && /^[\w.-]+\s*=/.test(whole))
    return notYaml(
      'this line is written like TOML or INI',
      'write "key: value", and indent keys below the key that has them',
    );
  if (message.includes('block-seq-ind'))
    return notYaml('the first item of a list is on the line of its key', 'begin the item on the next line');
  const isInHeader = message.startsWith('Not a YAML token') && /[>|][-+\d]*\s*$/.test(before);
  if (isInHeader || message.startsWith('Block scalar header includes'))
    return notYaml('a value cannot begin with > or |', 'put quotes around the value');
  // A text at the start of a line does not belong to the value before it.
  return message.endsWith('at node end') && before.trim() !== ''
    ? notYaml('text follows the end of the value', 'put quotes around the whole value')
    : null;
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [whole = ''] = text.slice(start).split(/\r?\n/, 1);
  return { whole, before: text.slice(start, offset), after: whole.slice(offset - start) };
}

function notYaml(message: string, hint: string | null = null): Description {
  return { message: `not YAML: ${message}`, hint };
}
