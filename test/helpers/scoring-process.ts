import type { ExecutionContext } from 'ava';
import { gatekeeper, startGatekeeperProcess } from './gatekeeper-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ScoringProcess {
  readonly url: string;
  readonly key: string;
  /** The local part decides: `low@…`, `medium@…` or `high@…`. */
  readonly testKey: string;
}

/** A running Gatekeeper with a key of each kind, for clients in any language. */
export async function startScoringProcess(t: Pick<ExecutionContext, 'teardown'>): Promise<ScoringProcess> {
  const folder = temporaryFolder(t);
  const config = 'api: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n';
  const { url } = await startGatekeeperProcess(t, folder, config);
  const { stdout: key } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop');
  const { stdout: testKey } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop-test', '--test');
  return { url, key: key.trim(), testKey: testKey.trim() };
}
