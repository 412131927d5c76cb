import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import { addKey, signInOperator } from '../decisions/accounts.ts';
import { copyPreparedDatabase } from '../decisions/prepared-database.ts';
import { freePort } from '../free-port.ts';
import { openLoadGenerator } from '../load-generator.ts';
import type { Row } from '../row.ts';
import { createSignups, toRequest } from '../signups.ts';
import { openWorkshop } from '../workshop.ts';
import { measureSimulator } from './simulator-rows.ts';

const REPORTS = fileURLToPath(new URL('../../reports/', import.meta.url));
const DECISIONS = 1_000_000;
/** A site with some signups a minute. */
const FEW_DECISIONS = 50_000;
const DAYS = 30;
const VISITS = 15;
const SEED = 59;
const CONNECTIONS = 64;
const VIEWERS = 4;
/** The server must not refuse work because the machine is shared. */
const MORE = 'dashboard: {listen: "127.0.0.1:PORT"}\nserver: {max_lag: 60s}\n';
/** The first characters of a request id, which all decisions of a minute share. */
const BEGINNING = 8;
/** The refresh interval of an open page. */
const LOOK_EVERY_MS = 5_000;

/** The most popular page, and the most expensive one for the database: a condition without a match. */
const PAGES: Readonly<Record<string, string>> = {
  'decisions, newest': '/decisions',
  'decisions, those of a reason': '/decisions?code=tor_ip&level=medium',
  'decisions, of a domain that is not there': '/decisions?domain=nothing.example',
  'decisions, of a network and with every other condition':
    '/decisions?network=192.0.2.0/24&code=vpn_ip&code=tor_ip&level=high&wanted_action=block&within=month&passed=yes',
  'decisions, labelled': '/decisions?label=fraud',
  'campaigns of a day, by pattern': '/campaigns?by=template&within=day',
  'campaigns of a week, by network': '/campaigns?by=network&within=week',
  'campaigns of a week, by device': '/campaigns?by=device&within=week',
  'campaigns of a week, by style': '/campaigns?by=cohort&within=week',
  'overview, 30 days': '/overview?range=30d',
  'overview, a day': '/overview',
  routes: '/routes',
  review: '/review',
  audit: '/audit',
  accounts: '/accounts',
  lists: '/lists',
  keys: '/keys',
  usage: '/usage',
  'simulator, the form': '/simulator',
  'search, a name': '/search?q=nothing',
};

/** The dashboard with many stored decisions: the simulator, the time of its pages, and their effect on scoring. */
export async function measureDashboard(bench: Bench): Promise<readonly Row[]> {
  const few = await withDashboard(FEW_DECISIONS, ({ base, cookie }) =>
    measureSimulator(base, cookie, { decisions: '50,000', must: 1, aim: 0.5 }),
  );
  return [...few, ...(await withDashboard(DECISIONS, (dashboard) => measurePages(bench, dashboard)))];
}

interface Dashboard {
  readonly base: string;
  /** The session of an operator. */
  readonly cookie: string;
  readonly apiPort: number;
  readonly apiKey: string;
}

async function withDashboard(
  count: number,
  measure: (dashboard: Dashboard) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const port = await freePort();
  const workshop = openWorkshop(MORE.replace('PORT', String(port)));
  try {
    const file = join(workshop.folder, 'data/gatekeeper.db');
    await copyPreparedDatabase(file, { folder: REPORTS, count, days: DAYS });
    await addKey(file, workshop.key);
    const cookie = await signInOperator(file);
    const server = await workshop.openGatekeeper({ onAnyCore: true });
    const base = `http://127.0.0.1:${port}`;
    try {
      return await measure({ base, cookie, apiPort: server.port, apiKey: workshop.key });
    } finally {
      await server.stop();
    }
  } finally {
    workshop.close();
  }
}

async function measurePages(
  { rounds, requests: count, datasets }: Bench,
  { base, cookie, apiPort, apiKey }: Dashboard,
): Promise<readonly Row[]> {
  const visit = (path: string) => visitPage(`${base}${path}`, cookie);
  const [, id = ''] = /href="\/decisions\/([\da-f-]{36})"/.exec(await visit('/decisions')) ?? [];
  const [, campaign = ''] =
    /href="(\/campaigns\/one[^"]*)"/.exec(await visit('/campaigns?within=week')) ?? [];
  const rows: Row[] = [];
  for (const [name, path] of Object.entries({
    ...PAGES,
    'one decision': `/decisions/${id}`,
    'one campaign of a week': campaign.replaceAll('&amp;', '&'),
    'search, the beginning of a request id': `/search?q=${id.slice(0, BEGINNING)}`,
  })) {
    rows.push(await measurePage(name, () => visit(path)));
  }
  rows.push(...(await measureSimulator(base, cookie, { decisions: 'a million', must: 3, aim: 1 })));
  const next = createSignups(datasets.current, SEED);
  const requests = Array.from({ length: 5_000 }, () => toRequest(next(), apiKey));
  const load = { port: apiPort, requests, count, connections: CONNECTIONS };
  const generator = openLoadGenerator();
  try {
    const rate = async () => (count * 1_000) / (await generator.run(load)).elapsedMs;
    rows.push(await measureScoring({ rounds, rate, look: (viewer) => visitInTurn(visit, viewer) }));
    return rows;
  } finally {
    generator.close();
  }
}

async function measurePage(name: string, visit: () => Promise<string>): Promise<Row> {
  await visit();
  const values: number[] = [];
  for (let i = 0; i < VISITS; i++) {
    const startedAt = performance.now();
    await visit();
    values.push((performance.now() - startedAt) / 1_000);
  }
  const target = { bound: 'at_most', must: 0.3, aim: 0.15 } as const;
  return { name: `dashboard over a million decisions: ${name}`, unit: 's', target, values, note: null };
}

interface Scoring {
  readonly rounds: number;
  /** Scorings a second, in one run. */
  readonly rate: () => Promise<number>;
  /** Requests pages until it is stopped. */
  readonly look: (viewer: number) => { stop(): Promise<void> };
}

/** Runs with and without viewers in turn, so that other work on the machine affects both equally. */
async function measureScoring({ rounds, rate, look }: Scoring): Promise<Row> {
  await rate();
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await rate();
    const viewers = Array.from({ length: VIEWERS }, (_, n) => look(n));
    try {
      values.push((await rate()) / alone);
    } finally {
      await Promise.all(viewers.map((viewer) => viewer.stop()));
    }
  }
  return {
    name: 'POST /score-signup while the dashboard is looked at, throughput against alone',
    unit: '×',
    target: { bound: 'at_least', must: 0.9, aim: 0.95 },
    values,
    note: `${VIEWERS} people, each with another page every ${LOOK_EVERY_MS} ms`,
  };
}

function visitInTurn(visit: (path: string) => Promise<string>, viewer: number): { stop(): Promise<void> } {
  let isLooking = true;
  const paths = Object.values(PAGES);
  const looking = (async () => {
    await sleep((viewer * LOOK_EVERY_MS) / VIEWERS);
    for (let turn = viewer; isLooking; turn++) {
      await visit(paths[turn % paths.length] ?? '/decisions');
      await sleep(LOOK_EVERY_MS);
    }
  })();
  // `stop` reports the error.
  looking.catch(() => {});
  return {
    async stop() {
      isLooking = false;
      await looking;
    },
  };
}

/** @throws Error when the answer is not a page. */
async function visitPage(url: string, cookie: string): Promise<string> {
  const answer = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'error' });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  return body;
}
