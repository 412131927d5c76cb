import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { type Command, withDefaultCommand } from '../../src/cli/command.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { createCommandLine } from '../../src/cli/program.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { at, type Block, type Page, parsePage, ROOT, readPages } from './read-page.ts';

const run = promisify(execFile);
const pages = readPages();

/** Commands that need more than a folder: these are only parsed. */
const NEEDS: Readonly<Record<string, string>> = {
  serve: 'a signal to end it',
  init: 'a terminal',
  doctor: 'a running process',
  'data update': 'the internet',
  'records migrate': 'PostgreSQL',
  'records copy': 'PostgreSQL',
  'records secrets': 'a node that has run',
};

const signals = { stop: new AbortController().signal, onHangUp() {}, release() {} };
class WasParsed extends Error {}

/** The command line of the product, which stops before a command runs. */
function commandLine(writeError: CommandContext['writeError'] = () => {}): Command {
  const outputs = { write() {}, writeError, deliver: async () => true };
  const context = { cwd: ROOT, env: {}, ...outputs, isTerminal: false, hasColour: false };
  const program = createCommandLine({ context, signals }, () => {});
  return program.hook('preAction', () => {
    throw new WasParsed();
  });
}

/** Why the product refuses these arguments; null: it would run them. */
async function refusal(args: readonly string[]): Promise<string | null> {
  let said = '';
  const program = commandLine((text) => {
    said += text;
  });
  try {
    await program.parseAsync(withDefaultCommand(program, args), { from: 'user' });
  } catch (error) {
    if (error instanceof WasParsed) return null;
  }
  return said.split('\n')[0] ?? '';
}

/**
 * The arguments of each `gatekeeper` in a block, as a shell reads them: `sh` runs the block in an empty folder, and the only
 * programs that it can find write their arguments down.
 */
async function commandsOf(t: ExecutionContext, block: Block): Promise<string[][]> {
  const folder = temporaryFolder(t);
  const calls = join(folder, 'calls');
  const work = join(folder, 'work');
  for (const name of [calls, work]) mkdirSync(name);
  const record = `#!/bin/sh\nn=0\nwhile ! (set -C; : > "$CALLS/$n") 2> /dev/null; do n=$((n + 1)); done\n`;
  const printArgs = `printf '%s\\0' "$@" > "$CALLS/$n"\n`;
  writeFileSync(join(folder, 'gatekeeper'), record + printArgs);
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$1" = gatekeeper ] || exit 0\n${record.slice(10)}shift\n${printArgs}`,
  );
  for (const name of ['gatekeeper', 'npx']) chmodSync(join(folder, name), 0o755);
  // A built-in command must not end another process, nor a failed one this block.
  const script = `kill() { :; }\n${block.text.replaceAll('&&', ';')}\n`;
  const env = { PATH: folder, CALLS: calls };
  await run('/bin/sh', ['-c', script], { cwd: work, env, timeout: 60_000 }).catch(() => {});
  return readdirSync(calls)
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => readFileSync(join(calls, name), 'utf8').split('\0').slice(0, -1));
}

/** How many commands a reader sees in the block. */
function mentions(text: string): number {
  const code = text.replace(/(^|\s)#.*$/gm, '');
  return code.match(/(?:^|[;&|(]|\bnpx)[ \t]*gatekeeper [<a-z-]/gm)?.length ?? 0;
}

async function wrongInBlocks(t: ExecutionContext, page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const block of page.blocks) {
    if (block.language !== 'sh' || block.mark !== '') continue;
    const commands = mentions(block.text) === 0 ? [] : await commandsOf(t, block);
    if (commands.length < mentions(block.text)) wrong.push(at(page, block, 'a shell cannot read this block'));
    for (const args of commands) {
      const said = await refusal(args);
      if (said !== null) wrong.push(at(page, block, `gatekeeper ${args.join(' ')}: ${said}`));
    }
  }
  return wrong;
}

/** A command in a sentence or a table may leave out arguments: `gatekeeper keys create --name N [--plan P]`. */
function wrongInText(page: Page): string[] {
  return page.codes.flatMap((code) => {
    const [, line] = /^(?:npx )?gatekeeper (.+)$/s.exec(code.text) ?? [];
    if (line === undefined) return [];
    let command = commandLine();
    for (const word of line.split(/\s+/)) {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) break;
      command = next;
    }
    const named = line.split(/\s+/)[0] ?? '';
    if (command.parent === null && /^[a-z]/.test(named))
      return [at(page, code, `no such command: ${code.text}`)];
    const known = new Set(['--help', '--version', '--config', ...command.options.map(({ long }) => long)]);
    const flags = line.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    return flags
      .filter((flag) => !known.has(flag))
      .map((flag) => at(page, code, `no such option: ${flag} in ${code.text}`));
  });
}

test('the command line accepts every gatekeeper command of the documentation', async (t) => {
  t.deepEqual(pages.flatMap(wrongInText), []);
  for (const page of pages) t.deepEqual(await wrongInBlocks(t, page), []);
});

test('every gatekeeper command of a shell block that needs only a folder works', async (t) => {
  const folder = temporaryFolder(t);
  // The files that the commands name: a configuration, a stricter one, and the history that docs/simulation.md shows.
  writeFileSync(join(folder, 'gatekeeper.yaml'), 'scoring: {dns: {enabled: false}}\n');
  writeFileSync(join(folder, 'stricter.yaml'), 'preset: strict\nscoring: {dns: {enabled: false}}\n');
  const history = pages.flatMap(({ blocks }) => blocks).find(({ language }) => language === 'csv');
  writeFileSync(join(folder, 'signups.csv'), `${history?.text}\n`);
  const exported = history?.text.replace('time,email', 'created_at,mail');
  writeFileSync(join(folder, 'users.csv'), `${exported}\n`);
  let ran = 0;
  for (const page of pages) {
    for (const block of page.blocks) {
      if (block.language !== 'sh' || block.mark !== '' || mentions(block.text) === 0) continue;
      for (const args of await commandsOf(t, block)) {
        if (Object.keys(NEEDS).some((name) => `${args.join(' ')} `.startsWith(`${name} `))) continue;
        const { code, out, err } = await runCommand(args, folder);
        t.is(code, 0, `${page.path}: gatekeeper ${args.join(' ')}\n${err}`);
        t.not(out, '', args.join(' '));
        ran += 1;
      }
    }
  }
  t.true(ran > 4, `only ${ran} ran`);
  t.true(existsSync(join(folder, 'data')));
});

const FENCE = '```';

test('a mistyped command or option, in a block or in a sentence, is found', async (t) => {
  const page = parsePage(
    'planted.md',
    [
      ...['Run `gatekeeper chekc`, `gatekeeper keys create --nmae N` or `gatekeeper check --print`.', ''],
      ...[`${FENCE}sh`, 'mkdir -p a && npx gatekeeper data stauts   # now', FENCE, ''],
      ...[`${FENCE}sh`, 'gatekeeper score \\', '  --email "a b@c.example" --ipp 192.0.2.1', FENCE, ''],
      ...[`${FENCE}sh`, 'gatekeeper route <METHOD> <URL>', FENCE, ''],
      ...[`${FENCE}sh`, 'gatekeeper route POST', FENCE, ''],
      ...[`${FENCE}sh output`, 'gatekeeper frobnicate', FENCE, ''],
    ].join('\n'),
  );
  t.deepEqual(wrongInText(page), [
    'planted.md:1 no such command: gatekeeper chekc',
    'planted.md:1 no such option: --nmae in gatekeeper keys create --nmae N',
  ]);
  t.deepEqual(await wrongInBlocks(t, page), [
    'planted.md:3 gatekeeper data stauts: unknown command "stauts"; did you mean "status"?',
    `planted.md:7 gatekeeper score --email a b@c.example --ipp 192.0.2.1: unknown option "--ipp"; did you mean "--ip"?`,
    'planted.md:12 a shell cannot read this block',
    "planted.md:16 gatekeeper route POST: error: missing required argument 'url'",
  ]);
});
