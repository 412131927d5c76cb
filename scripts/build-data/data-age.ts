import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import own from '../../package.json' with { type: 'json' };
import type { Baseline } from './baseline.ts';

/** What the registry says about one package that the built-in data is made of. */
export interface DataAge {
  readonly name: string;
  /** The version of the built-in data, and when it was published. */
  readonly version: string;
  readonly date: string;
  /** The newest version; null when the registry did not answer. */
  readonly newest: string | null;
  readonly newestDate: string | null;
  /** Days from the publication of our version until today; 0 when there is no newer one. */
  readonly behindDays: number;
}

export interface AskedRegistry {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The environment of npm, which selects the registry. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The largest age of built-in data, in days, when newer data exists. */
export const MAX_DATA_AGE_DAYS = 30;
const DAY_MS = 86_400_000;
const ASK_MS = 60_000;

const run = promisify(execFile);

/** Asks for one package after the other. The tables of this project are left out: they are as old as the project. */
export async function agesOf(baseline: Baseline, asked: AskedRegistry): Promise<readonly DataAge[]> {
  const ages: DataAge[] = [];
  const packages = Object.entries(baseline).filter(([name]) => name !== own.name);
  for (const [name, { version, date }] of packages) {
    const published = await newestOf(name, asked);
    const isBehind = published !== null && published.newest !== version && published.newestDate > date;
    const behindDays = isBehind ? Math.floor((asked.now - Date.parse(date)) / DAY_MS) : 0;
    ages.push({
      name,
      version,
      date,
      behindDays,
      newest: published?.newest ?? null,
      newestDate: published?.newestDate ?? null,
    });
  }
  return ages;
}

export function outdated(ages: readonly DataAge[]): readonly DataAge[] {
  return ages.filter(({ behindDays }) => behindDays > MAX_DATA_AGE_DAYS);
}

/** One line for each package. */
export function describeAge({ name, version, date, newest, newestDate, behindDays }: DataAge): string {
  const ours = `${name} ${version} of ${date}`;
  if (newest === null) return `${ours}: not checked, the registry did not answer`;
  if (behindDays === 0) return `${ours}: nothing newer`;
  return `${ours}: ${behindDays} days old, ${newest} of ${newestDate} is newer`;
}

async function newestOf(
  name: string,
  { env = process.env }: AskedRegistry,
): Promise<{ readonly newest: string; readonly newestDate: string } | null> {
  try {
    const asked = ['view', name, 'time', 'dist-tags', '--json', '--fetch-retries=1', '--prefer-online'];
    const { stdout } = await run('npm', asked, { env, timeout: ASK_MS, maxBuffer: 64 * 1024 * 1024 });
    const answer: unknown = JSON.parse(stdout);
    const said = (Array.isArray(answer) ? answer[0] : answer) as {
      readonly time?: Readonly<Record<string, string>>;
      readonly 'dist-tags'?: { readonly latest?: string };
    };
    const newest = said['dist-tags']?.latest;
    const time = newest === undefined ? undefined : said.time?.[newest];
    return newest === undefined || time === undefined ? null : { newest, newestDate: time.slice(0, 10) };
  } catch {
    return null;
  }
}
