import type { Bench } from '../bench.ts';
import type { ChildServer } from '../child-server.ts';
import { compare, runContest } from '../contest.ts';
import { openLoadGenerator } from '../load-generator.ts';
import type { Row } from '../row.ts';
import { createSignups, toRequest } from '../signups.ts';
import { openWorkshop } from '../workshop.ts';

const WORK = 'POST /score-signup';
const DISTINCT_SIGNUPS = 5_000;
const CONNECTIONS = 64;
const SEED = 20_261_121;

/** The API's hot path against the same work in two well-known frameworks. */
export async function measureApi({ rounds, requests: count, datasets }: Bench): Promise<readonly Row[]> {
  const next = createSignups(datasets.current, SEED);
  const signups = Array.from({ length: DISTINCT_SIGNUPS }, next);
  const workshop = openWorkshop();
  const generator = openLoadGenerator();
  const servers: ChildServer[] = [];
  const requests = signups.map((signup) => toRequest(signup, workshop.key));
  const contestant = async (name: string, opening: Promise<ChildServer>) => {
    const server = await opening;
    servers.push(server);
    return { name, server, load: { requests, count, connections: CONNECTIONS } };
  };
  try {
    const contestants = [
      await contestant('Gatekeeper', workshop.openGatekeeper()),
      await contestant('textbook Koa', workshop.openYardstick('koa.js')),
      await contestant('fastify', workshop.openYardstick('fastify.js')),
    ];
    const samples = await runContest(contestants, { generator, rounds });
    const against = (yardstick: string, must: number, aim: number) =>
      compare(samples, {
        work: WORK,
        ours: 'Gatekeeper',
        yardstick,
        target: { bound: 'at_least', must, aim },
      });
    return [...against('textbook Koa', 1.3, 1.7), ...against('fastify', 0.7, 1.0)];
  } finally {
    generator.close();
    await Promise.all(servers.map((server) => server.stop()));
    workshop.close();
  }
}
