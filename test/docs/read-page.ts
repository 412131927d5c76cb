import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { lexer, type Token, walkTokens } from 'marked';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block. */
export interface Block {
  /** The first word after the fence, such as `yaml`; empty when there is none. */
  readonly language: string;
  /** What follows the language: what the block is, when it is no input of Gatekeeper, such as `output`. */
  readonly mark: string;
  readonly text: string;
  readonly line: number;
}

/** A code span or the target of a link, with its line. */
export interface Span {
  readonly text: string;
  readonly line: number;
}

/** One Markdown file, as GitHub reads it. */
export interface Page {
  /** From the root of the project: `docs/api.md`. */
  readonly path: string;
  readonly blocks: readonly Block[];
  readonly codes: readonly Span[];
  readonly links: readonly Span[];
  /** Of its headings: `#the-order-of-checks` without the number sign. */
  readonly anchors: ReadonlySet<string>;
}

const FOLDERS = ['docs', 'deploy', 'examples', 'clients', 'models'];

/** The pages that users and developers read. The change log names things of earlier versions, so it is left out. */
export function readPages(): readonly Page[] {
  const nested = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'CONTRIBUTING.md', ...nested]
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .sort()
    .map((name) => parsePage(name, readFileSync(join(ROOT, name), 'utf8')));
}

/** Lines of what is nested in a list or a table are those of the list or the table. */
export function parsePage(path: string, markdown: string): Page {
  const blocks: Block[] = [];
  const codes: Span[] = [];
  const links: Span[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  let line = 1;
  const visit = (token: Token): void => {
    if (token.type === 'code') {
      const [language = '', ...mark] = (token.lang ?? '').split(' ');
      blocks.push({ language, mark: mark.join(' '), text: token.text, line });
    } else if (token.type === 'codespan') codes.push({ text: token.text, line });
    else if (token.type === 'link' || token.type === 'image') links.push({ text: token.href, line });
    else if (token.type === 'heading') anchors.add(slugger.slug(plain(token.tokens ?? [])));
  };
  for (const token of lexer(markdown)) {
    walkTokens([token], visit);
    line += token.raw.split('\n').length - 1;
  }
  return { path, blocks, codes, links, anchors };
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');
}

/** What is wrong on a page, as its tests print it. */
export function at({ path }: Page, { line }: { readonly line: number }, wrong: string): string {
  return `${path}:${line} ${wrong}`;
}
