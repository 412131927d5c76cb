import { addCommand, type Command, duration, type Run, type WithConfig } from './command.ts';
import type { DeliveringContext, ExitCode } from './command-context.ts';
import type { KeysContext } from './manage-keys.ts';

interface CreateKeyArguments extends WithConfig {
  readonly name: string;
  readonly plan?: string;
  readonly test?: boolean;
  readonly scope?: string;
  readonly expires?: number;
}

/** `gatekeeper keys …`. */
export function addKeyCommands(
  program: Command,
  { context, run }: { readonly context: DeliveringContext; readonly run: Run },
): void {
  const load = () => Promise.all([import('./manage-keys.ts'), import('./with-resources.ts')]);
  const on = async (
    options: WithConfig,
    work: (act: typeof import('./manage-keys.ts'), resources: KeysContext) => Promise<ExitCode>,
  ): Promise<ExitCode> => {
    const [act, { withKeys }] = await load();
    return withKeys(options.config ?? null, context, { work: (resources) => work(act, resources) });
  };
  const keys = program.command('keys').description('creates, lists and revokes API keys');
  addCommand(keys, 'create', 'creates a key; standard output gets only the key, and only once')
    .requiredOption('--name <name>', 'the name of the key and of its account')
    .option('--plan <plan>', 'a plan of the configuration (default: hobby)')
    .option('--test', 'a test key: it is not counted, and low@, medium@ or high@ decides the answer')
    .option('--scope <scope>', 'gate: the key may also read and label decisions of the gate')
    .option('--expires <duration>', 'the lifetime of the key, such as 90d', duration)
    .action(
      run<CreateKeyArguments>(
        async ({ config = null, name, plan = null, test = false, scope = null, expires = null }) => {
          const [{ createKey, newKeyProblem }, { withKeys }] = await load();
          const wanted = { name, plan, test, scope, expiresInMs: expires };
          return withKeys(config, context, {
            problem: (configured) => newKeyProblem(wanted, configured),
            work: (resources) => createKey(wanted, resources),
          });
        },
      ),
    );
  addCommand(keys, 'list', 'lists every key by name and last four characters')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        on(options, (act, resources) => act.listKeys({ json: options.json ?? false }, resources)),
      ),
    );
  addCommand(keys, 'revoke', 'revokes a key within a second in every process')
    .argument('<name-or-last-four>')
    .action(
      run<WithConfig>((options, text = '') =>
        on(options, (act, resources) => act.revokeKey(text, resources)),
      ),
    );
}
