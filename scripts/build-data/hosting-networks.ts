import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../data/hosting-networks.tsv', import.meta.url));

/** The numbers of the networks that announce addresses as hosters do: `npm run train` finds them. */
export function readHostingNetworks(file = FILE): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const number = /^(\d{1,10})\t/.exec(line)?.[1];
    if (number === undefined)
      throw new Error(`${file}:${i + 1} does not begin with a number and a tab: ${line}`);
    numbers.add(Number(number));
  }
  return numbers;
}
