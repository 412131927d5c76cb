import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import {
  closeAccount,
  type InviteOptions,
  invite,
  listAccounts,
  resetPassword,
  setPlan,
  setRole,
  signOut,
} from './manage-accounts.ts';
import { withAccounts } from './with-resources.ts';

interface InviteArguments extends WithConfig {
  readonly email: string;
  readonly role?: string;
  readonly plan?: string;
}

/** `gatekeeper accounts …`: users of the dashboard. */
export function addAccountCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  const accounts = program.command('accounts').description('invites and changes users of the dashboard');
  const on = (options: WithConfig, work: Parameters<typeof withAccounts>[2]) =>
    withAccounts(options.config ?? null, context, work);

  addCommand(accounts, 'list', 'lists all users by email')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        on(options, (resources) => listAccounts({ json: options.json ?? false }, resources)),
      ),
    );
  addCommand(accounts, 'invite', 'creates an account and prints the link to choose its password')
    .requiredOption('--email <address>', 'the email to sign in with')
    .option('--role <role>', 'operator or member (default: member)')
    .option('--plan <plan>', 'a plan of the configuration (default: hobby)')
    .action(
      run<InviteArguments>((options) => {
        const { email, role = null, plan = null } = options;
        const invitation: InviteOptions = { email, role, plan };
        return on(options, (resources) => invite(invitation, resources));
      }),
    );
  addCommand(accounts, 'set-role', 'makes a user an operator or a member')
    .argument('<email>')
    .argument('<role>', 'operator or member')
    .action(
      run<WithConfig>((options, email = '', role = '') =>
        on(options, (resources) => setRole(email, role, resources)),
      ),
    );
  addCommand(accounts, 'set-plan', 'changes the plan of a user')
    .argument('<email>')
    .argument('<plan>')
    .action(
      run<WithConfig>((options, email = '', plan = '') =>
        on(options, (resources) => setPlan(email, plan, resources)),
      ),
    );
  addCommand(accounts, 'reset-password', 'prints a link to choose a new password')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') => on(options, (resources) => resetPassword(email, resources))),
    );
  addCommand(accounts, 'sign-out', 'ends every session of a user at once')
    .argument('<email>')
    .action(run<WithConfig>((options, email = '') => on(options, (resources) => signOut(email, resources))));
  addCommand(accounts, 'close', 'closes an account and revokes its keys; its decisions stay')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') => on(options, (resources) => closeAccount(email, resources))),
    );
}
