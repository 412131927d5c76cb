import { isHost } from '../../http/request-head.ts';

/**
 * Whether a trusted proxy can have meant this value of a forwarding field. Many proxies do not remove what the client
 * sent, and some apps paste the value before the path without a check (`${proto}://${host}${path}`): with
 * `http://h/signup?` as protocol, such an app runs another path than the judged one.
 * @param name in lower case.
 */
export function isForwardingValue(name: string, value: string): boolean {
  switch (name) {
    case 'x-forwarded-proto':
    case 'x-forwarded-protocol':
    case 'x-forwarded-scheme':
      return items(value).every((item) => SCHEME.test(item));
    case 'x-forwarded-host':
    case 'x-forwarded-server':
      return items(value).every(isHost);
    case 'x-forwarded-port':
      return items(value).every((item) => PORT.test(item));
    case 'forwarded':
      return !PART_OF_PATH.test(value);
    default:
      return true;
  }
}

const SCHEME = /^[a-z][a-z\d+.-]*$/i;
const PORT = /^\d{1,5}$/;
const PART_OF_PATH = /[/\\?#]/;

/** One item for each proxy. */
function items(value: string): string[] {
  return value.split(',').map((item) => item.trim());
}
