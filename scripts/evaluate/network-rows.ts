import { join } from 'node:path';
import { ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import { readAsnRanges } from '../build-data/asn-networks.ts';
import { npmPackage } from '../build-data/npm-package.ts';
import { ACCESS_NETWORKS } from './access-networks.ts';
import { type Measurement, measureFactor, type Sample } from './measurement.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import { hasPublicData, readPublicLines } from './public-data.ts';

/** Announcements that are tried of each access network, spread evenly over all it has. */
const TRIED_PER_NETWORK = 200;

/** The clouds must be known without any feed, and nobody's home may be taken for one. */
export async function measureNetworks(
  judge: Judge,
  attempts: NeutralAttempts,
): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  if (hasPublicData()) {
    const samples = readPublicLines('cloud-ranges.txt').flatMap((range) => firstOf(range, attempts));
    rows.push(
      await measureFactor(judge, samples, {
        set: 'cloud-ranges, without feeds',
        factor: 'ip_address',
        target: { bound: 'at_least', share: 0.75 },
      }),
    );
  }
  rows.push(
    await measureFactor(judge, accessSamples(attempts), {
      set: `${ACCESS_NETWORKS.size} access networks, addresses of`,
      factor: 'ip_address',
      target: { bound: 'at_most', share: 0 },
    }),
  );
  return rows;
}

function firstOf(range: string, attempts: NeutralAttempts): readonly Sample[] {
  const attempt = attempts.withIp(range.split('/')[0] ?? '');
  return attempt ? [{ name: range, attempt }] : [];
}

/** The first and the last address of up to 200 announcements of each network, by the routing table itself. */
function accessSamples(attempts: NeutralAttempts): readonly Sample[] {
  const file = join(npmPackage('@ip-location-db/asn').folder, 'asn-ipv4-num.csv');
  const ranges = new Map<number, { from: number; to: number }[]>();
  for (const { asn, from, to } of readAsnRanges(file)) {
    if (!ACCESS_NETWORKS.has(asn)) continue;
    const known = ranges.get(asn) ?? [];
    known.push({ from: Number(from), to: Number(to) });
    ranges.set(asn, known);
  }
  const samples: Sample[] = [];
  for (const [asn, name] of ACCESS_NETWORKS) {
    const announced = ranges.get(asn);
    if (!announced)
      throw new Error(`AS${asn} (${name}) announces nothing: take it off the list of networks.`);
    const step = Math.max(1, announced.length / TRIED_PER_NETWORK);
    for (let place = 0; place < announced.length; place += step) {
      const range = announced[Math.floor(place)];
      for (const word of range ? [range.from, range.to] : []) {
        const ip = ipAddressFromWords(4, [word]);
        samples.push({ name: `AS${asn} ${name} ${ip.text}`, attempt: attempts.attempt({ ip }) });
      }
    }
  }
  return samples;
}
