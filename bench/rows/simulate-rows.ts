import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import { residentMb } from '../process-tree.ts';
import type { Row } from '../row.ts';
import { createSignups } from '../signups.ts';

const SEED = 37;
const SIGNUPS = 100_000;
const START = Date.UTC(2026, 5, 1);
const MONTH_MS = 30 * 86_400_000;
const OTHER_POLICY = 'scoring: {levels: {low: 80, medium: 50}}\n';
const LOOK_EVERY_MS = 100;
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** `gatekeeper simulate` over a month of 100,000 signups in a CSV file: as its own process, from start to end. */
export async function measureSimulate({ rounds, datasets }: Bench): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-bench-'));
  try {
    writeFileSync(join(folder, 'signups.csv'), historyOf(createSignups(datasets.current, SEED)));
    writeFileSync(join(folder, 'other.yaml'), OTHER_POLICY);
    const one: Run[] = [];
    const two: Run[] = [];
    for (let round = 0; round < rounds; round++) {
      one.push(await simulate(folder));
      two.push(await simulate(folder, '--against', 'other.yaml'));
    }
    return [
      ...rowsOf('gatekeeper simulate, 100,000 signups', one),
      ...rowsOf('gatekeeper simulate, 100,000 signups, two policies', two),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly seconds: number;
  readonly peakMb: number;
}

async function simulate(folder: string, ...options: readonly string[]): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, 'simulate', 'signups.csv', '--json', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const readings = watchMemory(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`gatekeeper simulate ended with ${code}.`);
  return { seconds: (performance.now() - startedAt) / 1_000, peakMb: readings() };
}

/** Returns the highest memory use so far. */
function watchMemory(child: ChildProcess): () => number {
  let peakMb = 0;
  const timer = setInterval(() => {
    if (child.pid !== undefined && child.exitCode === null) peakMb = Math.max(peakMb, residentMb(child.pid));
  }, LOOK_EVERY_MS);
  child.once('exit', () => clearInterval(timer));
  return () => peakMb;
}

function rowsOf(name: string, runs: readonly Run[]): readonly Row[] {
  return [
    {
      name,
      unit: 's',
      target: { bound: 'at_most', must: 60, aim: 15 },
      values: runs.map(({ seconds }) => seconds),
      note: 'from start to end of the process',
    },
    {
      name: `${name}: resident memory`,
      unit: 'MB',
      target: { bound: 'at_most', must: 400, aim: 250 },
      values: runs.map(({ peakMb }) => peakMb),
      note: `the most of readings every ${LOOK_EVERY_MS} ms`,
    },
  ];
}

function historyOf(next: ReturnType<typeof createSignups>): string {
  const lines = ['time,email,ip_address,user_agent'];
  for (let i = 0; i < SIGNUPS; i++) {
    const { email, ip_address, user_agent } = next();
    const time = new Date(START + Math.floor((i * MONTH_MS) / SIGNUPS)).toISOString();
    lines.push(`${time},${email},${ip_address},"${user_agent.replaceAll('"', '""')}"`);
  }
  return `${lines.join('\n')}\n`;
}
