import { formatYaml } from '../config/format-yaml.ts';
import { GENERATED_KEY_ID } from '../gate/gate-headers.ts';
import { readSecrets } from '../secrets/open-secrets.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';
import { storageFolderOf } from '../storage/storage-folder.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { loadEffective } from './load-config.ts';

/**
 * `gatekeeper records secrets`: prints the generated secrets beside the SQLite file, in the form of the configuration
 * of nodes. Secrets that the configuration already contains are left out.
 */
export async function printSecrets({ config: file }: WithConfig, context: CommandContext): Promise<ExitCode> {
  const { write, writeError } = context;
  const { privacy, verification, assertion, storage } = loadEffective(file, context).config;
  if (isPostgresUrl(storage.records)) {
    writeError(
      'With records in PostgreSQL no secret is generated: name the configuration of the SQLite file.\n',
    );
    return 1;
  }
  const folder = storageFolderOf(storage.records);
  const secrets = await readSecrets(folder);
  if (secrets === null) {
    writeError(`No secrets were generated in ${folder}: Gatekeeper has not run on ${storage.records}.\n`);
    return 1;
  }
  const missing = {
    ...(privacy.hash_secret === null && { privacy: { hash_secret: secrets.hashSecret } }),
    // If the configuration has secrets, they encrypt, and the generated one decrypts nothing.
    ...(verification.hold_secrets.length === 0 && { verification: { hold_secrets: [secrets.holdKey] } }),
    ...(assertion.keys.length === 0 && {
      assertion: { keys: [{ id: GENERATED_KEY_ID, secret: secrets.assertionSecret }] },
    }),
  };
  write(
    Object.keys(missing).length === 0 ? '# The configuration contains all secrets.\n' : formatYaml(missing),
  );
  return 0;
}
