import { type CheckContext, checkUnique, itemsOf } from './checks.ts';
import type { CompleteDocument } from './config-schema.ts';
import { isPrivateHost } from './private-host.ts';

type Export = CompleteDocument['exports'][number];

/**
 * Checks the webhooks. The address of a host name is known only when it is resolved, so only IP addresses are checked
 * here.
 */
export function checkExports(context: CheckContext): void {
  const { document, isValid, issue, warn } = context;
  checkUnique(context, '/exports', 'name');
  for (const [i, { url, secrets, private_networks }] of itemsOf<Export>(document.exports)) {
    const place = `/exports/${i}`;
    if (isValid(`${place}/secrets`) && secrets.length === 0) {
      issue(`${place}/secrets`, 'expected at least one secret: receivers check the signature');
    }
    if (!isValid(`${place}/url`) || !isValid(`${place}/private_networks`)) continue;
    const { protocol, hostname } = new URL(url);
    if (isPrivateHost(hostname) && private_networks.length === 0) {
      issue(`${place}/url`, 'the address is not public', 'name its network in private_networks to allow it');
    } else if (protocol === 'http:' && private_networks.length === 0) {
      warn(`${place}/url`, 'decisions would be sent unencrypted: expected https');
    }
  }
}
