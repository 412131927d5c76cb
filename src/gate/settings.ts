import { parseCidr } from '../addresses/ip-address.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Config, ProxyConfig, RouteConfig } from '../config/config.ts';
import { readTextFileAsync, reasonOf } from '../config/read-text-file.ts';
import type { Site } from '../web/site.ts';
import { compileFormPages, type FormPages } from './form-visits/form-pages.ts';
import { createSigner, type Signer } from './gate-headers.ts';
import { type BlockPage, builtInBlockPage, templateBlockPage } from './pages/block-page.ts';
import { compileRoutes, type RouteMatcher } from './routes/match-routes.ts';
import type { TrustSettings } from './transport/upstream-request.ts';

/**
 * The settings that a reload of the configuration replaces. A request reads the object once, so it never mixes two
 * states.
 */
export interface GateSettings {
  readonly judge: Judge;
  readonly matcher: RouteMatcher;
  /** The pages that the routes name under `form`; null when no route names a page. */
  readonly formPages: FormPages | null;
  readonly trust: TrustSettings;
  readonly signer: Signer;
  readonly blockPageOf: (route: RouteConfig) => BlockPage;
  /** The URL at which visitors reach the gate; null when it is not configured. */
  readonly publicUrl: string | null;
  /** `proxy.origins`. */
  readonly origins: readonly string[];
  /** The look and the words of the gate's own pages. */
  readonly site: Site;
  /** The token with which a proxy may ask for checks; null when no proxy may. */
  readonly checkToken: string | null;
  /** The lifetime of the token in a redirect. */
  readonly redirectLifetimeMs: number;
  /** The routes whose email field makes an unjudged body look like a signup; null when `proxy.watch` is off. */
  readonly watchedRoutes: readonly RouteConfig[] | null;
  /** `review.keep_refused`. */
  readonly keepsRefused: boolean;
  /** `privacy.store_plain`. */
  readonly storePlain: boolean;
}

/** A reload replaces `current`. */
export interface CurrentSettings {
  readonly current: GateSettings;
}

export interface SettingsSource {
  readonly config: Config;
  readonly proxy: ProxyConfig;
  readonly judge: Judge;
  readonly site: Site;
  /** Signs assertions when no key is configured. */
  readonly assertionSecret: string;
}

/** A block page is for people. This limit is thirty times the size of the built-in page. */
const MAX_TEMPLATE_BYTES = 131_072;

/**
 * Prepares the settings of the gate from the configuration.
 * @throws Error that names the unusable file or key.
 */
export async function openGateSettings(source: SettingsSource): Promise<GateSettings> {
  const { config, proxy, judge, site, assertionSecret } = source;
  const pages = new Map<RouteConfig, BlockPage>();
  for (const route of proxy.routes) {
    if (route.block_page !== null) pages.set(route, await readBlockPage(route.name, route.block_page));
  }
  return {
    judge,
    matcher: compileRoutes(proxy.routes),
    formPages: compileFormPages(proxy.routes),
    trust: {
      trustedProxies: proxy.trusted_proxies.flatMap((text) => parseCidr(text) ?? []),
      clientIpHeader: proxy.client_ip_header,
    },
    signer: createSigner(config.assertion.keys, assertionSecret),
    blockPageOf: (route) => pages.get(route) ?? builtInBlockPage,
    watchedRoutes: proxy.watch ? proxy.routes : null,
    publicUrl: proxy.public_url,
    origins: proxy.origins,
    site,
    checkToken: proxy.forward_auth,
    redirectLifetimeMs: config.verification.ttl,
    keepsRefused: config.review.keep_refused,
    storePlain: config.privacy.store_plain,
  };
}

/** @throws Error that names the route, when its page cannot be used. */
export async function readBlockPage(route: string, path: string): Promise<BlockPage> {
  const text = await readTextFileAsync(path).catch((cause: unknown) => {
    throw new Error(
      `proxy.routes: the block_page of "${route}", ${path}, cannot be read: ${reasonOf(cause)}.`,
      {
        cause,
      },
    );
  });
  if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES) {
    throw new Error(
      `proxy.routes: the block_page of "${route}", ${path}, is larger than ${MAX_TEMPLATE_BYTES} bytes.`,
    );
  }
  if (text.trim() === '') throw new Error(`proxy.routes: the block_page of "${route}", ${path}, is empty.`);
  return templateBlockPage(text);
}
