import { isMapping } from './complete.ts';
import { completeListenAddress, parseListenAddress, urlHost } from './listen-address.ts';

/** Settings for one start. They override the settings of the file. */
export interface Overrides {
  /** The port of the gate, or of the API when the gate is off. Null: the port of the file. */
  readonly port: number | null;
  /**
   * A port from the environment. It applies only when the file has no `listen`, because it may be meant for the app.
   */
  readonly defaultPort: number | null;
  /** The app behind the gate. Null: the app of the file. */
  readonly upstream: string | null;
}

/** When only the command line asks for a gate, it listens on this machine only, because this is a first try. */
const LOOPBACK_GATE = '127.0.0.1:8000';

/**
 * Applies overrides to the document of a file. A section of a wrong shape stays unchanged, because validation reports
 * it.
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
  return `${urlHost(address.host)}:${port}`;
}
