import { type CheckOptions, check } from './check.ts';
import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { loadEffective } from './load-config.ts';
import { route } from './route.ts';
import { type ScoreOptions, scoreSignup } from './score-signup.ts';
import { type SimulateOptions, simulate } from './simulate.ts';

/** Commands that show how a configuration would judge, without a server: `check`, `route`, `score` and `simulate`. */
export function addJudgingCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'check', 'checks the configuration and lists every error')
    .option('--print', 'prints the effective configuration without its secrets')
    .action(run<CheckOptions>((options) => check(options, context)));

  addCommand(program, 'route', 'shows whether and why the gate would judge a request')
    .argument('<method>')
    .argument('<url>', 'a path or a URL')
    .action(
      run<WithConfig>((options, method = '', url = '') =>
        route({ config: loadEffective(options.config, context).config, method, url }, context),
      ),
    );

  addCommand(program, 'score', 'scores one signup and explains the score')
    .requiredOption('--email <address>', 'the email to sign up with')
    .requiredOption('--ip <address>', 'the IP address of the client')
    .option('--user-agent <text>', 'the user agent of the client')
    .option('--json', 'prints the decision as JSON')
    .action(run<ScoreOptions>((options) => scoreSignup(options, context)));

  addCommand(program, 'simulate', 'judges past signups from a file, and compares two policies')
    .argument(
      '<signups>',
      'a .csv or .ndjson file with time, email, ip_address, user_agent and, if known, label',
    )
    .option('--against <file>', 'a second configuration to compare with')
    .option('--json', 'prints the counts as JSON')
    .option('--report <file>', 'writes a report with charts as HTML')
    .action(
      run<SimulateOptions>((options, file = '') =>
        simulate({ ...options, file, showProgress: process.stderr.isTTY === true }, context),
      ),
    );
}
