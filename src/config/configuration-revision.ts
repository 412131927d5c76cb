import { createHmac } from 'node:crypto';
import type { Config } from './config.ts';

const DIGITS = 12;
/** The revisions that are already computed. A configuration never changes, because a reload creates a new one. */
const known = new WeakMap<Config, string>();

/**
 * The revision of a configuration. Nodes that judge alike have the same revision. Addresses, files and limits of a
 * machine may differ. The revision is a keyed hash, because the configuration contains secrets.
 */
export function configurationRevision(config: Config): string {
  const present = known.get(config);
  if (present !== undefined) return present;
  const revision = computeRevision(config);
  known.set(config, revision);
  return revision;
}

function computeRevision(config: Config): string {
  const { api, proxy, scoring, lists, verification, assertion, datasets, mail, privacy, exports } = config;
  const { asn_mmdb: _asn, country_mmdb: _country, anonymous_ip_mmdb: _anonymous, ...sets } = datasets;
  const shared = {
    scoring,
    lists,
    verification,
    assertion,
    mail,
    privacy,
    exports,
    sets,
    api: { ...api, listen: null },
    proxy: proxy && { ...proxy, listen: null, upstream: null, tls: null },
  };
  return createHmac('sha256', config.privacy.hash_secret ?? '')
    .update(JSON.stringify(shared))
    .digest('hex')
    .slice(0, DIGITS);
}
