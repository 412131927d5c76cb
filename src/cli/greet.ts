import type { Config, ProxyConfig } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import { curlExample } from '../dashboard/keys/curl-example.ts';
import type { Gatekeeper } from '../gatekeeper/gatekeeper.ts';
import { quoted } from './own-command.ts';
import { findPortOwner } from './port-owner.ts';

export interface GreetOptions {
  readonly gatekeeper: Pick<
    Gatekeeper,
    | 'apiUrl'
    | 'gate'
    | 'dashboardUrl'
    | 'isDashboardOpen'
    | 'setUpLink'
    | 'earlierLinkValidUntil'
    | 'firstKey'
    | 'hasKeys'
  >;
  readonly config: {
    readonly proxy: Pick<ProxyConfig, 'routes' | 'upstream'> | null;
    readonly dashboard: Pick<Config['dashboard'], 'listen'>;
  };
  /** The value of `--config`. Null when the option is missing. */
  readonly file: string | null;
  /** The command that runs this program again. */
  readonly command: string;
  readonly write: (text: string) => void;
}

/** Prints the addresses, the routes and the first steps. A first key is shown only once. */
export function greet({ gatekeeper, config, file, command, write }: GreetOptions): void {
  const { apiUrl, gate, earlierLinkValidUntil, firstKey, hasKeys } = gatekeeper;
  write(`Gatekeeper listens on ${apiUrl}\n`);
  if (gate && config.proxy) greetGate(gate, config.proxy, write);
  greetDashboard(gatekeeper, config.dashboard, write);
  if (earlierLinkValidUntil !== null) {
    const until = new Date(earlierLinkValidUntil).toISOString();
    const invite = `${command} accounts invite --email EMAIL --role operator${file === null ? '' : ` --config ${quoted(file)}`}`;
    write(
      `No operator exists yet. The node that started first has printed the link for the first operator. The link is valid until ${until}.\nIf it is lost: ${invite}\n`,
    );
  }
  if (firstKey !== null) {
    const curl = curlExample(apiUrl, firstKey);
    write(`\nYour first API key, shown only once: ${firstKey}\n\nTry it:\n\n  ${curl}\n\n`);
    return;
  }
  const create = `${command} keys create ${file === null ? '' : `--config ${quoted(file)} `}--name`;
  if (hasKeys) write(`Another API key: ${create} another\n`);
  else write(`No API key exists yet. Create the first one: ${create} first\n`);
}

/** While another program has the address of the dashboard, it would receive the link, which makes an operator. */
function greetDashboard(
  { dashboardUrl, isDashboardOpen, setUpLink }: GreetOptions['gatekeeper'],
  { listen }: Pick<Config['dashboard'], 'listen'>,
  write: GreetOptions['write'],
): void {
  if (isDashboardOpen) {
    write(`The dashboard is at ${dashboardUrl}\n`);
  } else {
    const owner = findPortOwner(parseListenAddress(listen)?.port ?? 0) ?? 'another program';
    write(
      `The dashboard is not open: ${owner} uses ${listen}. Stop it, or change dashboard.listen and restart.\n`,
    );
  }
  if (setUpLink === null) return;
  const when = isDashboardOpen ? '' : ', but only after the log says that the dashboard listens';
  write(
    `No operator exists yet. Open this link to become the operator${when}. Each start prints a new link:\n\n  ${setUpLink}\n\n`,
  );
}

function greetGate(
  { url, assertionSecretFile }: NonNullable<Gatekeeper['gate']>,
  { routes, upstream }: Pick<ProxyConfig, 'routes' | 'upstream'>,
  write: GreetOptions['write'],
): void {
  write(`The gate listens on ${url}\n`);
  const app = new URL(upstream).host;
  const rows = routes.map(({ name, methods, path, mode }) => [
    name,
    `${methods?.join(',') ?? 'POST'} ${path} → ${app}`,
    mode,
  ]);
  const widths = [0, 1].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows) write(`  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}\n`);
  if (rows.length === 0) write('  no routes are configured, so requests are forwarded without a check\n');
  if (assertionSecretFile === null) return;
  write(
    'It signs forwarded signups with a generated secret. An app that checks the signature needs this secret:\n' +
      `  GATEKEEPER_ASSERTION_SECRET=$(cat ${quoted(assertionSecretFile)})\n`,
  );
}
