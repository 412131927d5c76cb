import { isMapping } from './complete.ts';
import { completeListenAddress, parseListenAddress } from './listen-address.ts';

/** Settings of one start, over those of the file. */
export interface Overrides {
  /** The port of the gate, or of the API when there is no gate; null: as in the file. */
  readonly port: number | null;
  /** The same where the file names no `listen`: from the environment, where it may be meant for the app. */
  readonly defaultPort: number | null;
  /** The app behind the gate; null: as in the file. */
  readonly upstream: string | null;
}

/** A gate that only the command line asks for is tried on this machine first. */
const LOOPBACK_GATE = '127.0.0.1:8000';

/**
 * Lays overrides over the document of a file. A section of a wrong shape stays unchanged; validation reports it.
 * @param defaults The document of the defaults.
 */
export function override(
  document: unknown,
  defaults: unknown,
  { port, defaultPort, upstream }: Overrides,
): unknown {
  if (!isMapping(document)) return document;
  const hasGate = isMapping(document.proxy);
  if (!hasGate && document.proxy !== undefined && document.proxy !== null) return document;
  const name = hasGate || upstream !== null ? 'proxy' : 'api';
  const given = document[name] ?? {};
  if (!isMapping(given)) return document;
  const usual = sectionOf(defaults, name).listen;
  const listen = given.listen ?? (name === 'proxy' && !hasGate ? LOOPBACK_GATE : usual);
  const chosen = port ?? (given.listen === undefined ? defaultPort : null);
  const isNamed = chosen !== null || (name === 'proxy' && !hasGate);
  return {
    ...document,
    [name]: {
      ...given,
      ...(isNamed && { listen: withPort(listen, chosen) }),
      ...(upstream !== null && { upstream }),
    },
  };
}

function sectionOf(document: unknown, name: string): Readonly<Record<string, unknown>> {
  const section = isMapping(document) ? document[name] : null;
  return isMapping(section) ? section : {};
}

function withPort(listen: unknown, port: number | null): unknown {
  const address = parseListenAddress(String(completeListenAddress(listen)));
  if (port === null || address === null) return listen;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${host}:${port}`;
}
