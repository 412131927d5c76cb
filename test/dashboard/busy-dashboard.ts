import type { ExecutionContext } from 'ava';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { type DashboardServer, startDashboard, type Visitor } from './dashboard-server.ts';

export interface BusyDashboard extends DashboardServer {
  readonly operator: Visitor;
  readonly member: Visitor;
  /** Scores a signup with the member's key through the API. Returns its request id. */
  score(signup: Signup): Promise<string>;
}

export interface Signup {
  readonly email: string;
  readonly ip_address: string;
  readonly user_agent?: string;
}

export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Signups of one pattern from one network, a disposable mailbox, a data centre, and normal users. */
const SIGNUPS: readonly Signup[] = [
  ...Array.from({ length: 24 }, (_, i) => ({
    email: `promo.user${1_000 + i}@gmail.com`,
    ip_address: `138.68.20.${1 + (i % 6)}`,
    user_agent: 'python-requests/2.32.3',
  })),
  { email: 'x8k2q@mailinator.com', ip_address: '185.220.101.33', user_agent: 'curl/8.5.0' },
  { email: 'max@gmail.com', ip_address: '138.68.77.9', user_agent: BROWSER },
  { email: 'jane.doe@gmail.com', ip_address: '2.125.160.216', user_agent: BROWSER },
  { email: 'ada@wikipedia.org', ip_address: '2.125.160.217', user_agent: BROWSER },
];

/** A dashboard with an operator, a member with a key, and some decisions of every kind. */
export async function startBusyDashboard(
  t: ExecutionContext,
  options: Parameters<typeof startDashboard>[1] = {},
): Promise<BusyDashboard> {
  const server = await startDashboard(t, options);
  const { records, gatekeeper } = server;
  const [operator, member] = [await server.signIn('operator'), await server.signIn('member')];
  const key = createApiKey({ test: false });
  await records.apiKeys.create({
    ...{ accountId: member.accountId, name: 'shop', sha256: sha256OfKey(key), lastFour: key.slice(-4) },
    ...{ test: false, expiresAt: null },
  });
  const score = async (signup: Signup): Promise<string> => {
    const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(signup),
    });
    const answer = (await response.json()) as { readonly request_id: string; readonly detail?: string };
    if (response.status !== 200) throw new Error(`${response.status}: ${answer.detail}`);
    return answer.request_id;
  };
  for (const signup of SIGNUPS) await score(signup);
  return { ...server, operator, member, score };
}
