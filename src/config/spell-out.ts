import type { CompleteDocument } from './config-schema.ts';
import { addressUrl, completeListenAddress, parseListenAddress } from './listen-address.ts';
import { nameRoutes } from './route-names.ts';
import { completeOrigin } from './url-formats.ts';

/**
 * Writes out what a file may leave short: ports without a host, an upstream without a scheme, routes without a name. What
 * has a wrong shape stays as it is; validation has reported it.
 */
export function spellOut(document: CompleteDocument): CompleteDocument {
  const { api, dashboard, proxy } = document;
  return {
    ...document,
    api: withListen(api),
    dashboard: withListen(dashboard),
    proxy: isMapping(proxy)
      ? {
          ...withListen(proxy),
          upstream: completeOrigin(proxy.upstream),
          routes: nameRoutes(proxy.routes),
        }
      : proxy,
  };
}

/**
 * The same with the addresses that visitors use where no `public_url` is set, for people to read. The program finds its
 * own when it listens: port 0 becomes a number only then, and a changed `listen` waits for a restart.
 */
export function showOwnUrls(document: CompleteDocument): CompleteDocument {
  const { dashboard, proxy } = document;
  return {
    ...document,
    dashboard: { ...dashboard, public_url: dashboard.public_url ?? urlOf(dashboard.listen, false) },
    proxy: proxy && {
      ...proxy,
      public_url: proxy.public_url ?? urlOf(proxy.listen, proxy.tls.cert !== null),
    },
  };
}

function urlOf(listen: string, isSecure: boolean): string | null {
  const address = parseListenAddress(listen);
  return address === null || address.port === 0 ? null : addressUrl(address, isSecure);
}

function withListen<T extends { readonly listen: string }>(part: T): T {
  return isMapping(part) ? { ...part, listen: completeListenAddress(part.listen) } : part;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
