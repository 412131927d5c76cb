/**
 * Finds the use of networks whose numbers and names say nothing: writes `data/hosting-networks.tsv` and
 * `data/people-networks.tsv`, which a person can read and the build uses; part of `npm run train`. Reads npm packages alone.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npmPackage } from './build-data/npm-package.ts';
import {
  FOUND_SCORES,
  findNetworkUses,
  isHosting,
  type NetworkCandidate,
} from './train/find-network-uses.ts';
import { percent } from './train/name-thresholds.ts';
import { readNetworkShapes } from './train/network-shapes.ts';

const ORIGIN = `# Made by npm run train from @ip-location-db/asn ${npmPackage('@ip-location-db/asn').version} (CC-BY-4.0). Do not edit.`;
const CORRECTION =
  '# To correct one, put its number under its use in data/tables/networks.yaml, and run npm run train.';
const HOSTING_HEADER = `\
${ORIGIN}
# Networks that announce addresses as hosters do, by autonomous system. Neither the number nor the name says what they are.
${CORRECTION}
# number, score (${FOUND_SCORES.hosting} and above), IPv4 announcements, organisation
`;
const PEOPLE_HEADER = `\
${ORIGIN}
# Networks that look like those of access providers and offices, by autonomous system, with at least 1,024 addresses.
${CORRECTION}
# number, use, score (${FOUND_SCORES.access} and above), IPv4 announcements, organisation
`;

const shapes = readNetworkShapes();
const { found, crossValidated } = findNetworkUses(shapes);
const hosters = found.filter(({ use }) => use === 'hosting');
const people = found.filter(({ use }) => use !== 'hosting');
writeList('hosting-networks.tsv', HOSTING_HEADER, hosters, ({ asn }) => [asn]);
writeList('people-networks.tsv', PEOPLE_HEADER, people, ({ asn, use }) => [asn, use]);

const unknown = shapes.filter(({ networkClass }) => networkClass === null);
console.log(
  `${shapes.length} networks, ${unknown.length} without a class; ${hosters.length} look like hosters, ` +
    `${people.length} like networks of people`,
);
const worlds = ['hosting and vpn', 'access', 'mobile', 'business', 'education'] as const;
for (const use of ['hosting', 'access', 'business'] as const) {
  console.log(`Score of ${use}, of trees that have not seen the network:`);
  console.table(
    worlds.map((world) => {
      const own = crossValidated[use].filter(({ shape }) =>
        world === 'hosting and vpn' ? isHosting(shape) : shape.networkClass === world,
      );
      const shares = [-0.5, 0, 0.5].map((more) => {
        const score = FOUND_SCORES[use] + more;
        const reached = own.filter((one) => one.score >= score).length;
        return [`from ${score}, %`, percent(reached, own.length)];
      });
      return { world, networks: own.length, ...Object.fromEntries(shares) };
    }),
  );
}

function writeList(
  name: string,
  header: string,
  networks: readonly NetworkCandidate[],
  first: (network: NetworkCandidate) => readonly (string | number)[],
): void {
  const lines = networks.map((network) => {
    const { score, ranges, organisation } = network;
    return [...first(network), score.toFixed(1), ranges, organisation.replace(/\s+/g, ' ')].join('\t');
  });
  writeFileSync(fileURLToPath(new URL(`../data/${name}`, import.meta.url)), `${header}${lines.join('\n')}\n`);
}
