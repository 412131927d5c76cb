import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { type RunningGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { UPSTREAM_APPS, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';

const APPS = fileURLToPath(new URL('../helpers/signup-apps/', import.meta.url));
/** The shop, in the frameworks whose plain apps are here as well: those say what runs them. */
export const SHOPS: readonly UpstreamApp[] = [
  shopIn('Express 5', () => [join(APPS, 'express.js')]),
  shopIn('PHP', (folder) => [
    ...['-q', '-d', `sys_temp_dir=${folder}`, '-d', `session.save_path=${folder}`],
    ...['-S', '127.0.0.1:0', join(APPS, 'php', 'index.php')],
  ]),
  shopIn('Flask', () => [join(APPS, 'flask_app.py')]),
];

/** A signup with nested field names and a path of its own, as in Rails. */
export const RAILS_LIKE: UpstreamApp = {
  ...shopIn('Sinatra', () => [join(APPS, 'rails_like.rb')]),
  name: 'Sinatra, as Rails',
};

function shopIn(name: string, argumentsIn: (folder: string) => readonly string[]): UpstreamApp {
  const plain = UPSTREAM_APPS.find((app) => app.name === name);
  return {
    name,
    isInstalled: () => plain?.isInstalled() ?? false,
    command(folder) {
      const [program] = plain?.command(folder) ?? [];
      return program === undefined ? null : [program, ...argumentsIn(folder)];
    },
  };
}

export interface RunningShop {
  readonly running: RunningGatekeeper;
  readonly folder: string;
  readonly url: string;
  readonly mailbox: SmtpMailbox;
  readonly gatePort: number;
}

/**
 * Where visitors reach the gate has to stand in its configuration, so that its port is chosen before.
 *
 * @param publicPort a port of the test that leads to the gate; the gate then gets any free one. Left out: the gate's own.
 */
export async function startShop(
  t: ExecutionContext,
  upstreamPort: number,
  publicPort?: number,
): Promise<RunningShop> {
  const [folder, mailbox] = [temporaryFolder(t), await openSmtpMailbox(t)];
  const port = publicPort === undefined ? await freePort() : 0;
  const url = `http://localhost:${publicPort ?? port}`;
  const running = await startGatekeeperProcess(
    t,
    folder,
    `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:${port}
  upstream: http://127.0.0.1:${upstreamPort}
  public_url: ${url}
  routes:
    - {name: web, path: /signup}
    - {name: plain, path: /join}
    - {name: api, path: /api/signup, email: user.email}
mail: {smtp: "${mailbox.url}", from: "Shop <no-reply@shop.example>"}
scoring: {dns: {enabled: false}}
`,
  );
  await running.said('The gate listens on ');
  const [, gatePort] = /The gate listens on \S+:(\d+)/.exec(running.output()) ?? [];
  return { running, folder, url, mailbox, gatePort: Number(gatePort) };
}
