import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** A regular expression that is written in a source file. */
export interface WrittenPattern {
  /** A path from the folder that was searched. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Every regular expression between slashes in the TypeScript files of a folder, each once for a file. */
export function listPatterns(folder: string): WrittenPattern[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.sort().flatMap((file) => {
    const found = new Map<string, WrittenPattern>();
    const { code } = transformSync(readFileSync(join(folder, file), 'utf8'), {
      loader: file.endsWith('x') ? 'tsx' : 'ts',
    });
    visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string };
      found.set(`${pattern} ${flags}`, { file, source: pattern, flags });
    });
    return [...found.values()];
  });
}

/** The regular expressions that files of `src` put together with `new RegExp` while something is done. */
export async function collectMadePatterns(act: () => Promise<void>): Promise<WrittenPattern[]> {
  const found = new Map<string, WrittenPattern>();
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, newTarget) {
      const made: RegExp = Reflect.construct(target, args, newTarget);
      const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
      const file = /\/src\/(?!.*node_modules)([\w/.-]+)\.[jt]sx?\b/.exec(caller)?.[1];
      if (file) found.set(`${made}`, { file, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    await act();
  } finally {
    globalThis.RegExp = Original;
  }
  return [...found.values()];
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) see(value as Node);
  for (const member of Object.values(value)) visit(member, see);
}

const CHARACTERS = [...' \ta07="\';\n-./_@%&{}\\:,[]()<>#+!*\ufeff\u00e9'];
const PAIRS = ['\\n', '\\"', 'a.', 'a=', 'a,', 'a;', 'a/', 'a ', '" '];
const BEGINNINGS = ['', 'a', '1', '"', '/', ' ', 'a=', '<', '@', '{'];
const ENDS = ['', 'x', '!', '"', 'x"x', '\n', '@'];
const MAX_WORDS = 15;
/** Characters of a text that is tried first, and how much longer the second one is. */
const LENGTH = 1_500;
const LONGER = 4;
/** A share of the time that the fastest quadratic search takes here. A linear one takes a few microseconds. */
const NOTICED = 1 / 4;
/** A cubic search; four times the text would take minutes. */
const CERTAIN_MS = 100;
/** Four times the text takes sixteen times as long in a quadratic search. */
const QUADRATIC = 8;

/** A text that takes a pattern more time than its length explains, as a description; null when none was found. */
export function findSlowText({ source, flags }: Pick<WrittenPattern, 'source' | 'flags'>): string | null {
  if (!/[*+]|,\}|\{\d{3,}/.test(source)) return null;
  const pattern = new RegExp(source, flags);
  const noticedMs = NOTICED * quadraticMs();
  const words = wordsOf(source);
  const beginnings = [...BEGINNINGS, ...words.flatMap((word) => [word, `${word}=`, `${word}:`])];
  for (const unit of [...CHARACTERS, ...PAIRS, ...words]) {
    for (const begin of beginnings) {
      for (const end of ENDS) {
        const text = (length: number) => begin + unit.repeat(Math.ceil(length / unit.length)) + end;
        if (timeOf(pattern, text(LENGTH)) < noticedMs) continue;
        const short = bestTimeOf(pattern, text(LENGTH));
        if (short < noticedMs) continue;
        if (short > CERTAIN_MS || bestTimeOf(pattern, text(LENGTH * LONGER)) > short * QUADRATIC)
          return JSON.stringify([begin, unit, end]);
      }
    }
  }
  return null;
}

/** The time of a search that does nothing but look for one character from each place of a text on. */
function quadraticMs(): number {
  return bestTimeOf(/\/+$/, `${'/'.repeat(LENGTH)}x`);
}

/** Texts that the pattern names. */
function wordsOf(source: string): string[] {
  const plain = source.replace(/\\[a-zA-Z](?:\{[^}]*\})?/g, ' ').replace(/\[[^\]]*\]/g, ' ');
  return [...new Set(plain.match(/[\w@=;:"'<>/#%&{},.! -]{2,}/g) ?? [])].slice(0, MAX_WORDS);
}

function bestTimeOf(pattern: RegExp, text: string): number {
  return Math.min(...Array.from({ length: 3 }, () => timeOf(pattern, text)));
}

function timeOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const begin = performance.now();
  if (pattern.global) text.match(pattern);
  else pattern.exec(text);
  return performance.now() - begin;
}
