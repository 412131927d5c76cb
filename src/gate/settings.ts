import { readFile } from 'node:fs/promises';
import { parseCidr } from '../addresses/cidr.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Config, ProxyConfig, RouteConfig } from '../config/config.ts';
import { createSigner, type Signer } from './gate-headers.ts';
import { type BlockPage, builtInBlockPage, templateBlockPage } from './pages/block-page.ts';
import { compileRoutes, type RouteMatcher } from './routes/match-routes.ts';
import type { TrustSettings } from './transport/upstream-request.ts';

/** What a reload of the configuration changes. Taken once a request, so that no request sees two states. */
export interface GateSettings {
  readonly judge: Judge;
  readonly matcher: RouteMatcher;
  readonly trust: TrustSettings;
  readonly signer: Signer;
  readonly blockPageOf: (route: RouteConfig) => BlockPage;
  /** Where visitors reach the gate; null where nobody said. */
  readonly publicUrl: string | null;
  /** How long a token that a visitor is sent away with is valid. */
  readonly redirectLifetimeMs: number;
  /** The routes whose email field makes an unjudged body look like a signup; null: `proxy.watch` is off. */
  readonly watchedRoutes: readonly RouteConfig[] | null;
  /** `privacy.store_plain`. */
  readonly storePlain: boolean;
}

export interface SettingsSource {
  readonly config: Config;
  readonly proxy: ProxyConfig;
  readonly judge: Judge;
  /** Signs assertions when no key is configured. */
  readonly assertionSecret: string;
}

/** A page is looked at by people: this is thirty times the built-in one. */
const MAX_TEMPLATE_BYTES = 131_072;

/**
 * Makes ready what a configuration says about the gate.
 *
 * @throws Error that names the file or key which cannot be used.
 */
export async function openGateSettings(source: SettingsSource): Promise<GateSettings> {
  const { config, proxy, judge, assertionSecret } = source;
  const pages = new Map<RouteConfig, BlockPage>();
  for (const route of proxy.routes) {
    if (route.block_page !== null) pages.set(route, await readTemplate(route.name, route.block_page));
  }
  return {
    judge,
    matcher: compileRoutes(proxy.routes),
    trust: {
      trustedProxies: proxy.trusted_proxies.flatMap((text) => parseCidr(text) ?? []),
      clientIpHeader: proxy.client_ip_header,
    },
    signer: createSigner(config.assertion.keys, assertionSecret),
    blockPageOf: (route) => pages.get(route) ?? builtInBlockPage,
    watchedRoutes: proxy.watch ? proxy.routes : null,
    publicUrl: proxy.public_url,
    redirectLifetimeMs: config.verification.ttl,
    storePlain: config.privacy.store_plain,
  };
}

async function readTemplate(route: string, path: string): Promise<BlockPage> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`proxy.routes: the block_page of "${route}", ${path}, cannot be read (${code}).`, {
      cause: error,
    });
  }
  if (bytes.length > MAX_TEMPLATE_BYTES) {
    throw new Error(
      `proxy.routes: the block_page of "${route}", ${path}, is larger than ${MAX_TEMPLATE_BYTES} bytes.`,
    );
  }
  return templateBlockPage(bytes.toString('utf8'));
}
