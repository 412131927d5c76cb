import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../row.ts';

const CHANGES = 9;
const POLL_MS = 500;
/** Until all decisions are read. */
const MAX_READING_MS = 15 * 60_000;

/** What is measured, and the most seconds that an effect may take. */
export interface SimulatorSize {
  /** The number of stored decisions, in words. */
  readonly decisions: string;
  readonly must: number;
  readonly aim: number;
}

/** The slider over all stored decisions, as the script of the page asks for it. */
export async function measureSimulator(
  base: string,
  cookie: string,
  { decisions, must, aim }: SimulatorSize,
): Promise<readonly Row[]> {
  const page = await (await fetch(`${base}/simulator`, { headers: { cookie } })).text();
  const [, form = ''] = /<form[^>]*action="\/simulator"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
  const fields = new URLSearchParams([
    ...[...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as [string, string],
    ),
    ...[...form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([^<]*)/g)].map(
      ([, name = '', value = '']) => [name, value] as [string, string],
    ),
  ]);
  fields.set('days', '30');
  const ask = async () => {
    const startedAt = performance.now();
    const headers = { cookie, accept: 'text/html', origin: base };
    const answer = await fetch(`${base}/simulator/effect`, { method: 'POST', headers, body: fields });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`the simulator answered ${answer.status}`);
    return { body, seconds: (performance.now() - startedAt) / 1_000 };
  };
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1_000;
  let last = await ask();
  while (!last.body.includes('data-counts')) {
    await sleep(POLL_MS);
    last = await ask();
  }
  const first = since();
  while (last.body.includes('data-reading')) {
    if (since() * 1_000 > MAX_READING_MS) throw new Error('the simulator did not read all decisions');
    await sleep(POLL_MS);
    last = await ask();
  }
  const exact = since();
  const changes: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    fields.set('weights-email', String(30 + i));
    changes.push((await ask()).seconds);
  }
  const row = (name: string, values: readonly number[], target: Row['target']): Row => ({
    name: `simulator over ${decisions} decisions: ${name}`,
    unit: 's',
    target,
    values,
    note: null,
  });
  return [
    row('the first effect, an estimate', [first], { bound: 'at_most', must, aim }),
    row('the exact effect', [exact], null),
    row('the exact effect of a further change', changes, { bound: 'at_most', must, aim }),
  ];
}
