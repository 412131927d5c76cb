import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { addressUrl, parseListenAddress } from '../../config/listen-address.ts';
import { ListenError } from '../../http/listen-error.ts';
import { createBoundedResolver } from '../../processors/dns/bounded-resolver.ts';
import { explainListenError } from '../explain-listen-error.ts';
import { broken, certificateRemedy, codeOf, type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 3_000;
/** A domain at a provider that most visitors use. Its mail servers have existed for decades. */
const KNOWN_DOMAIN = 'gmail.com';

/** Checks that the app behind the gate answers. */
export async function checkApp({ proxy }: Config): Promise<Finding> {
  if (proxy === null) return ok('app', 'no proxy section: only the API is served');
  const { upstream } = proxy;
  try {
    const answer = await fetch(upstream, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    const said = `${upstream} answers with ${answer.status}`;
    if (answer.status >= 500)
      return warning('app', said, `read the log of the app; curl -i ${upstream}/ shows the answer`);
    return ok('app', said);
  } catch (error) {
    const code = codeOf(error);
    const remedy =
      certificateRemedy(code, 'proxy.upstream') ??
      'start the app, or correct the address: proxy: {upstream: "http://127.0.0.1:PORT"}';
    return broken('app', `${upstream} does not answer (${code})`, remedy);
  }
}

/** Checks that each address is free, or that this Gatekeeper already listens on it. */
export async function checkPorts(config: Config): Promise<readonly Finding[]> {
  const { api, proxy, dashboard } = config;
  const listens = [
    { name: 'api.listen', listen: api.listen, path: '/livez' },
    ...(proxy === null || proxy.listen === api.listen
      ? []
      : [{ name: 'proxy.listen', listen: proxy.listen, path: '/.gatekeeper/' }]),
    { name: 'dashboard.listen', listen: dashboard.listen, path: '/sign-in' },
  ];
  return Promise.all(listens.map((one) => checkPort(one, config)));
}

async function checkPort(
  { name, listen, path }: { readonly name: string; readonly listen: string; readonly path: string },
  config: Config,
): Promise<Finding> {
  const address = parseListenAddress(listen);
  if (address === null || address.port === 0) return ok('ports', `${name} takes any free port`);
  const problem = await bindOnce(address);
  if (problem === null) return ok('ports', `${name} can listen on ${listen}`);
  const isTls = name === 'proxy.listen' && config.proxy?.tls !== null;
  if (problem.code === 'EADDRINUSE' && (await isGatekeeper(addressUrl(address, isTls) + path)))
    return ok('ports', `${name}: a Gatekeeper listens on ${listen}`);
  const [message = '', ...remedy] = explainListenError(problem, config).split(/(?<=\.) (?=Stop|Change)/);
  return broken('ports', message, remedy.join(' '));
}

async function bindOnce(address: {
  readonly host: string;
  readonly port: number;
}): Promise<ListenError | null> {
  const server = createServer();
  try {
    server.listen(address);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return null;
  } catch (error) {
    return new ListenError(address, error as NodeJS.ErrnoException);
  }
}

/** Whether Gatekeeper answers: each of its own answers has this header beside its request id. */
async function isGatekeeper(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.headers.has('x-request-id') && answer.headers.get('x-content-type-options') === 'nosniff';
  } catch {
    return false;
  }
}

/** Checks that the resolvers answer within the DNS timeout of a decision. */
export async function checkDns({ scoring: { dns } }: Config): Promise<Finding> {
  if (!dns.enabled) return ok('dns', 'off: scoring.dns.enabled is false');
  const resolver = createBoundedResolver({
    servers: dns.servers,
    timeoutMs: TIMEOUT_MS,
    now: () => performance.now(),
  });
  const from = dns.servers.length === 0 ? "the system's resolvers" : dns.servers.join(', ');
  try {
    const startedAt = performance.now();
    const answer = await resolver.mx(KNOWN_DOMAIN);
    const ms = Math.round(performance.now() - startedAt);
    if (answer.state !== 'found') {
      // Decisions work without an answer. So the check fails only for servers of the configuration, and only warns for
      // servers of the system.
      const report = dns.servers.length === 0 ? warning : broken;
      return report(
        'dns',
        `${from} do not know the mail servers of ${KNOWN_DOMAIN} (${answer.why})`,
        'scoring: {dns: {servers: [9.9.9.9]}}, or scoring: {dns: {enabled: false}}',
      );
    }
    if (ms > dns.timeout)
      return warning(
        'dns',
        `${from} took ${ms} ms; a decision waits ${dns.timeout} ms`,
        'use a resolver with a cache on this machine: scoring: {dns: {servers: [127.0.0.1]}}',
      );
    return ok('dns', `${from} answer in ${ms} ms`);
  } finally {
    resolver.close();
  }
}
