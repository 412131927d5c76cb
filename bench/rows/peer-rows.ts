import type { ChildServer } from '../child-server.ts';
import { type Contestant, compare, runContest } from '../contest.ts';
import type { Run } from '../load-generator.ts';
import { isInstalled, openPeer, PEERS } from '../peers.ts';
import { format } from '../report.ts';
import { GET_10_KB, GET_SMALL, POST_64_KB } from '../requests.ts';
import { medianOf, type Row } from '../row.ts';

const OURS = 'Gatekeeper';
const CONNECTIONS = 64;
const ALONE = 'one connection';

/** The kinds of pass-through, and how many requests of each for one small GET. */
const WORKS = [
  { work: 'small GET', request: GET_SMALL, times: 1, connections: CONNECTIONS },
  { work: '10 KB answer', request: GET_10_KB, times: 1, connections: CONNECTIONS },
  { work: '64 KB upload', request: POST_64_KB, times: 0.25, connections: CONNECTIONS },
  { work: ALONE, request: GET_SMALL, times: 0.125, connections: 1 },
] as const;

export interface PeerServers {
  readonly gatekeeper: ChildServer;
  readonly upstream: ChildServer;
  /** The folder of the peers' configurations. */
  readonly folder: string;
}

/**
 * The same pass-through with proxies written in C and Go, if they are installed. These rows have no target: they show
 * the distance.
 */
export async function measurePeers(servers: PeerServers, run: Run): Promise<readonly Row[]> {
  const here = PEERS.filter(isInstalled);
  for (const { name } of PEERS.filter((peer) => !here.includes(peer))) {
    console.log(`NOT COMPARED with ${name}: it is not installed here.`);
  }
  const peers: { readonly name: string; readonly server: ChildServer }[] = [];
  try {
    for (const peer of here) {
      peers.push({ name: peer.name, server: await openPeer(peer, servers.folder, servers.upstream.port) });
    }
    const rows: Row[] = [];
    for (const { work, request, times, connections } of peers.length === 0 ? [] : WORKS) {
      const load = { requests: [request], count: Math.ceil(run.count * times), connections };
      const contestants: readonly Contestant[] = [
        { name: OURS, server: servers.gatekeeper, load },
        ...peers.map(({ name, server }) => ({ name, server, load })),
      ];
      const samples = await runContest(contestants, run);
      for (const { name } of peers) {
        if (work === ALONE) rows.push(medianAnswer(samples, name));
        else
          rows.push(
            ...compare(samples, { work: `pass-through, ${work}`, ours: OURS, yardstick: name, target: null }),
          );
      }
    }
    return rows;
  } finally {
    await Promise.all(peers.map(({ server }) => server.stop()));
  }
}

/** Complete answer times, with the app's own share in both. */
function medianAnswer(samples: Awaited<ReturnType<typeof runContest>>, peer: string): Row {
  const [ours, theirs] = [OURS, peer].map((name) => (samples.get(name) ?? []).map(({ p50Ms }) => p50Ms));
  const [our = [], their = []] = [ours, theirs];
  return {
    name: `p50 at one connection, against ${peer}'s`,
    unit: '×',
    target: null,
    values: our.map((value, round) => value / (their[round] ?? value)),
    note: `${format(medianOf(our) * 1_000)} µs, theirs ${format(medianOf(their) * 1_000)} µs`,
  };
}
