import { isIP } from 'node:net';

/** Where the demo listens, and how the browser reaches it. */
export interface DemoSettings {
  readonly host: string;
  readonly port: number;
  /** Without a path. */
  readonly url: string;
}

/** An environment variable that cannot be used; the message names it and says what to write. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * `GATEKEEPER_DEMO_PORT`, `GATEKEEPER_DEMO_HOST` and `GATEKEEPER_DEMO_URL`.
 *
 * @throws SettingsError
 */
export function readSettings(env: NodeJS.ProcessEnv): DemoSettings {
  const port = portOf(env.GATEKEEPER_DEMO_PORT || '8000');
  const host = env.GATEKEEPER_DEMO_HOST || '127.0.0.1';
  if (isIP(host) === 0 && host !== 'localhost')
    throw new SettingsError(
      `GATEKEEPER_DEMO_HOST is "${host}". Write the address to listen on, such as 127.0.0.1, or 0.0.0.0 in a container.`,
    );
  const asName = isIP(host) === 6 ? `[${host}]` : host;
  const name = LOOPBACK.test(asName) ? asName : 'localhost';
  return { host, port, url: urlOf(env.GATEKEEPER_DEMO_URL || `http://${name}:${port}`) };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new SettingsError(`GATEKEEPER_DEMO_PORT is "${text}". Write a port from 1 to 65535, such as 8000.`);
  return port;
}

/** Gatekeeper shows its mailbox page only under a name of this machine. */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' || !LOOPBACK.test(url.hostname) || url.pathname !== '/' || url.search !== '')
    throw new SettingsError(
      `GATEKEEPER_DEMO_URL is "${text}". Write the address that your browser opens, such as http://localhost:8000. The demo works only under localhost: from another machine, forward the port (ssh -L 8000:localhost:8000 that-machine).`,
    );
  return url.origin;
}
