import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type FetchedSet, fetchSets } from './fetch-sets.ts';
import { type PublicSet, readCatalogue } from './set-catalogue.ts';
import { hashOf } from './set-content.ts';

/** Public data beside the checkout, never part of it. Its own SOURCES.md names repositories, commits and licences. */
const BESIDE = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
/** Where `--fetch` puts what is not there. */
export const FETCHED_FOLDER = fileURLToPath(
  new URL('../../node_modules/.cache/gatekeeper-evaluate/', import.meta.url),
);

/** Whether all these sets are there; without names, all of the catalogue. */
export function hasPublicData(...files: readonly string[]): boolean {
  return missingPublicData(files).length === 0;
}

export function missingPublicData(files: readonly string[] = []): readonly string[] {
  const wanted = files.length > 0 ? files : readCatalogue().map(({ file }) => file);
  return wanted.filter((file) => !existsSync(publicDataPath(file)));
}

export function publicDataPath(file: string): string {
  const beside = join(BESIDE, file);
  return existsSync(beside) ? beside : join(FETCHED_FOLDER, file);
}

/** Downloads the sets that are not beside the checkout, except those that were downloaded before. */
export function fetchPublicData(): Promise<readonly FetchedSet[]> {
  const wanted = readCatalogue().filter(
    (set) => !existsSync(join(BESIDE, set.file)) && !isFetched(set, FETCHED_FOLDER),
  );
  return fetchSets(wanted, { folder: FETCHED_FOLDER });
}

/** Whether the file is there and is what the catalogue names now. */
export function isFetched(set: PublicSet, folder: string): boolean {
  const path = join(folder, set.file);
  return existsSync(path) && hashOf(set, readFileSync(path, 'utf8')) === set.sha256;
}

/** The lines that are not empty. */
export function readPublicLines(file: string): readonly string[] {
  return readFileSync(publicDataPath(file), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** User agents of browsers and applications, by the kind that the file files them under. */
export function readBrowserUserAgents(): readonly string[] {
  const kinds = parse(readFileSync(publicDataPath('browser-user-agents.yml'), 'utf8')) as Record<
    string,
    string[]
  >;
  return Object.values(kinds).flat();
}

/** Entries of that file that no browser sends, with the reason. They do not count as browsers. */
const NO_BROWSERS: readonly (readonly [mark: string, why: string])[] = [
  ['PG_SLEEP', 'an attack on databases in place of a user agent'],
  ['<?=print', 'an injection of PHP in place of a user agent'],
];

/** Why an entry of the browser file is no browser; null for all but two. */
export function whyNoBrowser(userAgent: string): string | null {
  return NO_BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1] ?? null;
}

export interface VisitorUserAgent {
  readonly userAgent: string;
  /** `navigator.platform` as the script of the page read it. A client that changes only the header does not change it. */
  readonly platform: string;
}

/** The visitors of the npm package `user-agents`, 10,000 of one day, bots that run scripts among them. */
export function readVisitorUserAgents(): readonly VisitorUserAgent[] {
  const path = fileURLToPath(
    new URL('../../node_modules/user-agents/dist/user-agents.json', import.meta.url),
  );
  return JSON.parse(readFileSync(path, 'utf8')) as VisitorUserAgent[];
}

/**
 * Whether the script saw another kind of machine than the user agent claims: a phone on a desktop's processor. iPads
 * that ask for desktop pages say `MacIntel`, which is no contradiction.
 */
export function isDisguised({ userAgent, platform }: VisitorUserAgent): boolean {
  const claimsPhone = /iPhone|Android/.test(userAgent);
  return claimsPhone && /^(?:Linux (?:x86_64|i686)|Win32|MacIntel)$/.test(platform);
}
