import type { ExecutionContext } from 'ava';
import { route } from '../../helpers/routes.ts';
import { type GateServer, type GateServerOptions, openGateServer } from '../gate-server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Loads the page, so that visits are known to be seen at all. */
export const STRANGER = { ip: '192.0.2.250', userAgent: 'Another/1.0' };
export const FORM = [route('/signup', { form: ['/signup'] })];

interface Sender {
  readonly ip?: string;
  readonly userAgent?: string;
}

export const headersOf = ({ ip = '198.51.100.7', userAgent = BROWSER }: Sender) => ({
  'x-forwarded-for': ip,
  'user-agent': userAgent,
});

/** A gate that has run for two hours, and has seen a stranger on the page. */
export async function openSeasoned(
  t: ExecutionContext,
  { routes = FORM, warm = '/signup', ...options }: GateServerOptions & { readonly warm?: string | null } = {},
) {
  const server = await openGateServer(t, {
    ...options,
    routes,
    proxy: { trusted_proxies: ['127.0.0.1/32'], ...options.proxy },
    app: (_request, response) => void response.writeHead(200).end('page'),
  });
  if (warm !== null) {
    await visit(server, warm, STRANGER);
    server.clock.now += 2 * HOUR;
    await visit(server, warm, STRANGER);
  }
  return server;
}

export async function visit(server: GateServer, path: string, sender: Sender = {}): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, { headers: headersOf(sender), redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.status;
}

/** What the judge was told about a visit. */
export async function signUp(server: GateServer, sender: Sender = {}) {
  const before = server.judged.length;
  const answer = await server.signUp('low@example.com', headersOf(sender));
  await answer.arrayBuffer();
  if (server.judged.length !== before + 1) throw new Error('the signup was not judged');
  return server.judged.at(-1)?.formVisit;
}
