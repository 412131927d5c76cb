import type { ExecutionContext } from 'ava';
import {
  type BoundedResolverOptions,
  createBoundedResolver,
} from '../../../src/processors/dns/bounded-resolver.ts';
import { startDnsServer, type Zone } from '../../helpers/dns-server.ts';

export async function resolverOver(
  t: ExecutionContext,
  zones: Readonly<Record<string, Zone>>,
  options: Partial<BoundedResolverOptions> = {},
) {
  const server = await startDnsServer(zones);
  const clock = { nowMs: 1_000 };
  const resolver = createBoundedResolver({
    servers: [server.address],
    timeoutMs: 2_000,
    now: () => clock.nowMs,
    ...options,
  });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  return { server, resolver, clock };
}

/** Until the server has received that many queries. */
export async function asked(server: { readonly questions: readonly string[] }, count: number): Promise<void> {
  while (server.questions.length < count) await new Promise((resolve) => setImmediate(resolve));
}
