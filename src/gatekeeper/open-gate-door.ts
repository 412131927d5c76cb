import type { Config, ProxyConfig } from '../config/config.ts';
import type { OpenGate, OpenGateOptions } from '../gate/open-gate.ts';
import { listenerUrl } from '../http/listener.ts';
import type { JudgingParts } from '../judging-parts.ts';
import { keepAssertionSecret } from '../secrets/assertion-secret-file.ts';
import type { Secrets } from '../secrets/open-secrets.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';
import type { WorkerRole } from './gatekeeper.ts';

/** The gate of this process. */
export interface GateDoor extends OpenGate {
  readonly url: string;
  /** The gate and the API have one address. */
  readonly servesApi: boolean;
  /** Null when the configuration names a key. */
  readonly assertionSecretFile: string | null;
}

export interface GateDoorOptions
  extends Pick<OpenGateOptions, 'config' | 'judge' | 'site' | 'verification' | 'lag' | 'log'> {
  readonly proxy: ProxyConfig;
  readonly parts: JudgingParts;
  readonly api: NonNullable<OpenGateOptions['before']>;
  /** Left out: this process does everything itself. */
  readonly worker?: WorkerRole | undefined;
}

/**
 * When the gate shares an address with the API, the API's own paths come first. Port 0 never means a shared address.
 * @throws Error that names the unusable file, key or address.
 */
export async function openGateDoor({ parts, api, worker, ...options }: GateDoorOptions): Promise<GateDoor> {
  const { config, proxy } = options;
  const servesApi = proxy.listen === config.api.listen && !proxy.listen.endsWith(':0');
  const assertionSecretFile = await keepAssertionSecretOf(config, parts.secrets);
  // Imported when there is a gate: a node that serves only the API starts faster.
  const { openGate } = await import('../gate/open-gate.ts');
  const gate = await openGate({
    ...options,
    assertionSecret: parts.secrets.assertionSecret,
    sightings: parts.counters.sightings,
    mayHaveNodes: parts.records.fleet !== null,
    before: servesApi ? api : null,
    recorder: parts.recorder,
    pseudonymize: parts.pseudonymize,
    metrics: parts.metrics.gate,
    tracer: parts.tracer,
    clock: parts.clock,
    accept: worker?.acceptAt('gate'),
    ticketKeys: worker?.ticketKeys,
  });
  return { ...gate, servesApi, url: listenerUrl(gate.address, proxy.tls !== null), assertionSecretFile };
}

/** Keeps the file of the generated assertion secret in the storage folder. */
export function keepAssertionSecretOf(
  { storage, assertion }: Config,
  secrets: Secrets,
): Promise<string | null> {
  return keepAssertionSecret(storageFolderOf(storage.records), secrets.assertionSecret, assertion.keys);
}
