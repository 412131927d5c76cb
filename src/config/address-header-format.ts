import { didYouMean } from './advise-text.ts';

/** Words for "no header". A header with such a name does not exist, so every visitor would have the proxy's address. */
const NO_HEADER = /^(?:no|none|off|false|null|nil|never|disabled|socket|connection|peer|remote[-_]?addr)$/i;
/**
 * Headers that clients and proxies send for other purposes. The gate drops the configured header of untrusted clients,
 * so `cookie` would also end their sessions.
 */
const OTHER_PURPOSE =
  /^(?:host|cookie|origin|referer|user-agent|authorization|date|expect|from|pragma|range|te|trailer|upgrade|via|dnt|priority|keep-alive|cache-control|transfer-encoding|(?:accept|content|if|sec|proxy|x-gatekeeper)(?:-.*)?|x-forwarded-(?:proto|protocol|scheme|host|server|port|prefix|path|uri|ssl|user)|x-(?:request|correlation)-id|x-requested-with|x-(?:csrf|xsrf)-token)$/i;
const NAME = /^[\w!#%&'*+.^`|~-]{1,100}$/;

/** The header with which a proxy names its client. */
export const ADDRESS_HEADER = {
  expected: 'the name of a header with the address of the client, such as x-forwarded-for',
  accepts: isAddressHeader,
  read: (text: string) => text.toLowerCase(),
  advise: adviseAddressHeader,
} as const;

function isAddressHeader(text: string): boolean {
  return NAME.test(text) && !NO_HEADER.test(text) && !OTHER_PURPOSE.test(text) && !isVariable(text);
}

/** The name of a variable in CGI, PHP or nginx, and of X-Forwarded-For there. */
function isVariable(text: string): boolean {
  return /^(?:\$|http_|x_forwarded_for$)/i.test(text);
}

function adviseAddressHeader(text: string): string | null {
  if (NO_HEADER.test(text))
    return 'leave the key out: without trusted_proxies, the address of the connection counts';
  if (OTHER_PURPOSE.test(text)) return 'this header never holds the address of a client';
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\$?(?:http_)?/, '')
    .replace(/:$/, '')
    .replaceAll('_', '-');
  return name !== text && isAddressHeader(name) ? didYouMean(name) : null;
}
