import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../data/people-networks.tsv', import.meta.url));

/** What a network is for in which people sit: at home or at work. */
export type PeopleUse = 'access' | 'business';

/** The numbers of the networks that look like those of access providers and offices: `npm run train` finds them. */
export function readPeopleNetworks(file = FILE): ReadonlyMap<number, PeopleUse> {
  const uses = new Map<number, PeopleUse>();
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, number, use] = /^(\d{1,10})\t(access|business)\t/.exec(line) ?? [];
    if (number === undefined || use === undefined)
      throw new Error(`${file}:${i + 1} does not begin with a number, a tab and access or business: ${line}`);
    uses.set(Number(number), use as PeopleUse);
  }
  return uses;
}
