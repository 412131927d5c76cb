import { hash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { startDashboard } from '../dashboard/dashboard-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const KEY = 'a key of all nodes';
const OFFICE = '2.125.160.216';

function nodeOn(t: ExecutionContext, records: string) {
  return startDashboard(t, {
    config: (base) => ({
      ...base,
      api: {
        ...base.api,
        keys: [{ name: 'shop', sha256: hash('sha256', KEY), plan: 'unlimited', scope: null }],
      },
      storage: { ...base.storage, records },
      privacy: { ...base.privacy, hash_secret: 'a secret of all nodes' },
    }),
  });
}

type Node = Awaited<ReturnType<typeof nodeOn>>;
interface Answer {
  readonly request_id: string;
  readonly reasons: readonly { readonly factor: string; readonly reason_code: string }[];
}

const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };

/** Scores a person of the office. Each has a browser of its own. */
async function score(
  { gatekeeper }: Node,
  name: string,
): Promise<{ id: string; velocity: string | undefined }> {
  const body = JSON.stringify({
    email: `${name}@gmail.com`,
    ip_address: OFFICE,
    user_agent: `Browser/${name}`,
  });
  const answer = await fetch(`${gatekeeper.apiUrl}/score-signup`, { method: 'POST', headers, body });
  const { request_id: id, reasons } = (await answer.json()) as Answer;
  return { id, velocity: reasons.find(({ factor }) => factor === 'velocity')?.reason_code };
}

const NAMES =
  'anna ben cleo dora emil finn gesa hans ines jörg karl lena mara nils olga paul quin rosa sven tina'
    .replace('ö', 'oe')
    .split(' ');

test('an office whose mailboxes were labelled on one node has wider limits on every node and after a start', async (t) => {
  const records = `sqlite:${temporaryFolder(t)}/records.db`;
  const [first, second] = [await nodeOn(t, records), await nodeOn(t, records)];
  const before = [];
  for (const name of NAMES.slice(0, 8)) before.push(await score(first, `${name}.weber`));
  t.is(before.at(-1)?.velocity, 'elevated_velocity');
  for (const name of NAMES.slice(0, 8)) await score(second, `${name}.weber`);
  for (const { id } of before.slice(0, 4)) {
    const body = JSON.stringify({ label: 'legitimate' });
    const url = `${first.gatekeeper.apiUrl}/decisions/${id}/feedback`;
    t.is((await fetch(url, { method: 'POST', headers, body })).status, 204);
  }
  for (const node of [first, second]) {
    // A person who tries again adds nothing to the count.
    await until(async () => (await score(node, 'hans.weber')).velocity === 'normal_velocity');
  }
  const third = await nodeOn(t, records);
  t.is((await score(third, 'hans.weber')).velocity, 'normal_velocity', 'rebuilt at the start');

  let last = { id: '', velocity: undefined as string | undefined };
  for (const name of NAMES) last = await score(third, `${name}.weber`);
  t.is(last.velocity, 'elevated_velocity');
  const decision = await fetch(`${third.gatekeeper.apiUrl}/decisions/${last.id}`, { headers });
  const { factors } = (await decision.json()) as {
    factors: readonly { factor: string; findings: readonly { evidence: string; fields?: object }[] }[];
  };
  const findings = factors.find(({ factor }) => factor === 'velocity')?.findings;
  t.regex(
    findings?.at(-1)?.evidence ?? '',
    /^20 mailboxes from one (address|network) in an hour, limit 28 \(usually 12; 4 mailboxes were recently verified there\)$/,
  );
});
