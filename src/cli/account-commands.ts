import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { DeliveringContext, ExitCode } from './command-context.ts';
import type { AccountsContext, InviteOptions } from './manage-accounts.ts';

interface InviteArguments extends WithConfig {
  readonly email: string;
  readonly role?: string;
  readonly plan?: string;
}

/** `gatekeeper accounts …`: users of the dashboard. */
export function addAccountCommands(
  program: Command,
  { context, run }: { readonly context: DeliveringContext; readonly run: Run },
): void {
  const accounts = program.command('accounts').description('invites and changes users of the dashboard');
  const on = async (
    options: WithConfig,
    work: (act: typeof import('./manage-accounts.ts'), resources: AccountsContext) => Promise<ExitCode>,
  ): Promise<ExitCode> => {
    const [act, { withAccounts }] = await Promise.all([
      import('./manage-accounts.ts'),
      import('./with-resources.ts'),
    ]);
    return withAccounts(options.config ?? null, context, (resources) => work(act, resources));
  };

  addCommand(accounts, 'list', 'lists all users by email')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        on(options, (act, resources) => act.listAccounts({ json: options.json ?? false }, resources)),
      ),
    );
  addCommand(accounts, 'invite', 'creates an account and prints the link to choose its password')
    .requiredOption('--email <address>', 'the email to sign in with')
    .option('--role <role>', 'operator, support or member (default: member)')
    .option('--plan <plan>', 'a plan of the configuration (default: hobby)')
    .action(
      run<InviteArguments>((options) => {
        const { email, role = null, plan = null } = options;
        const invitation: InviteOptions = { email, role, plan };
        return on(options, (act, resources) => act.invite(invitation, resources));
      }),
    );
  addCommand(accounts, 'set-role', 'changes the role of a user')
    .argument('<email>')
    .argument('<role>', 'operator, support or member')
    .action(
      run<WithConfig>((options, email = '', role = '') =>
        on(options, (act, resources) => act.setRole(email, role, resources)),
      ),
    );
  addCommand(accounts, 'set-plan', 'changes the plan of a user')
    .argument('<email>')
    .argument('<plan>')
    .action(
      run<WithConfig>((options, email = '', plan = '') =>
        on(options, (act, resources) => act.setPlan(email, plan, resources)),
      ),
    );
  addCommand(accounts, 'reset-password', 'prints a link to choose a new password')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        on(options, (act, resources) => act.resetPassword(email, resources)),
      ),
    );
  addCommand(accounts, 'sign-out', 'ends every session of a user at once')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        on(options, (act, resources) => act.signOut(email, resources)),
      ),
    );
  addCommand(accounts, 'remove-two-factor', 'removes the second factor of a user who lost the device')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        on(options, (act, resources) => act.removeTwoFactor(email, resources)),
      ),
    );
  addCommand(accounts, 'close', 'closes an account and revokes its keys; its decisions stay')
    .argument('<email>')
    .action(
      run<WithConfig>((options, email = '') =>
        on(options, (act, resources) => act.closeAccount(email, resources)),
      ),
    );
}
