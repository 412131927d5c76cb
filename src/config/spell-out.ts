import { isMapping } from './complete.ts';
import type { CompleteDocument } from './config-schema.ts';
import { addressUrl, completeListenAddress, parseListenAddress } from './listen-address.ts';
import { completeOrigin } from './url-formats.ts';

/** The longest derived name. With a suffix, it still fits into the 100 characters of a name, in any alphabet. */
const MAX_CHARACTERS = 45;
/** The default interval for sources of the catalogue, because they change every day or every few days. */
const CATALOGUE_REFRESH = '24h';

/**
 * Completes short values of a file: ports without a host, an upstream without a scheme, routes without a name, the
 * refresh of feeds. A value of a wrong shape stays unchanged, because validation has reported it.
 */
export function spellOut(document: CompleteDocument): CompleteDocument {
  const { api, dashboard, datasets, proxy } = document;
  return {
    ...document,
    api: withListen(api),
    dashboard: withListen(dashboard),
    datasets: withRefresh(datasets),
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
 * Like `spellOut`, but also adds the URLs that visitors use when `public_url` is not set. Only for display: the running
 * program uses its real addresses, because port 0 gets a number at the start, and a changed `listen` waits for a
 * restart.
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

/** A missing value and null mean the same in this setting. */
function withRefresh(datasets: CompleteDocument['datasets']): CompleteDocument['datasets'] {
  if (!isMapping(datasets) || datasets.refresh !== null || !Array.isArray(datasets.feeds)) return datasets;
  const hasName = datasets.feeds.some((feed) => typeof feed === 'string');
  return { ...datasets, refresh: hasName ? CATALOGUE_REFRESH : 'off' };
}

function withListen<T extends { readonly listen: string }>(part: T): T {
  return isMapping(part) ? { ...part, listen: completeListenAddress(part.listen) } : part;
}

/**
 * Gives unnamed routes a name that is derived from their path: `/users/:id/register` is `users-id-register`, `/` is
 * `root`. If another route already has this name, the name gets a number, in the order of the file. Names in the file
 * never change.
 */
export function nameRoutes<Route>(routes: readonly Route[]): readonly Route[] {
  if (!Array.isArray(routes)) return routes;
  const taken = new Set(routes.map((route) => String(route?.name).toLowerCase()));
  return routes.map((route) => {
    if (typeof route !== 'object' || route === null || route.name !== null) return route;
    const base = nameOf(String(route.path));
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    return { ...route, name };
  });
}

function nameOf(path: string): string {
  if (path === '/') return 'root';
  const words = path
    .toLowerCase()
    .replaceAll('**', ' all ')
    .replaceAll('*', ' any ')
    .replace(/[^\p{L}\p{N}._~]+/gu, '-');
  const name = [...words.replace(/^[-.]+/, '')].slice(0, MAX_CHARACTERS).join('');
  return name.replace(/[-.]+$/, '') || 'route';
}
