import { execFileSync } from 'node:child_process';
import type { Baseline, BaselineEntry } from './baseline.ts';
import type { DataSource } from './npm-package.ts';

/**
 * The baseline that accepts these sources. A package does not contain the date of its publication, so the registry is asked
 * for each changed package. Only `--accept` of a maintainer does this: a build never needs the network.
 */
export function acceptedBaseline(sources: readonly DataSource[], known: Baseline): Baseline {
  const accept = ({ name, version, count, date: own }: DataSource): BaselineEntry => {
    const before = known[name];
    const published = () => (before?.version === version ? before.date : publishedOn(name, version));
    return { version, date: own ?? published(), count };
  };
  return Object.fromEntries(sources.map((source) => [source.name, accept(source)]));
}

function publishedOn(name: string, version: string): string {
  const answer = execFileSync('npm', ['view', name, 'time', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const times: Record<string, string> = JSON.parse(answer);
  const time = times[version];
  if (time === undefined)
    throw new Error(`The registry does not know when ${name} ${version} was published.`);
  return time.slice(0, 10);
}
