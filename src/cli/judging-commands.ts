import { type CheckOptions, check } from './check.ts';
import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { loadEffective } from './load-config.ts';
import { route } from './route.ts';
import { type ScoreOptions, scoreSignup } from './score-signup.ts';
import { type SimulateOptions, simulate } from './simulate.ts';

/** What says how a configuration would judge, without serving it: `check`, `route`, `score` and `simulate`. */
export function addJudgingCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'check', 'says everything that is wrong with the configuration')
    .option('--print', 'prints the effective configuration, secrets redacted')
    .action(run<CheckOptions>((options) => check(options, context)));

  addCommand(program, 'route', 'says whether and why the gate would judge a request')
    .argument('<method>')
    .argument('<url>', 'a path or a URL')
    .action(
      run<WithConfig>((options, method = '', url = '') =>
        route({ config: loadEffective(options.config, context).config, method, url }, context),
      ),
    );

  addCommand(program, 'score', 'scores one attempt and explains how')
    .requiredOption('--email <address>', 'the email to sign up with')
    .requiredOption('--ip <address>', 'the address it comes from')
    .option('--user-agent <text>', 'the user agent')
    .option('--json', 'prints the decision as JSON')
    .action(run<ScoreOptions>((options) => scoreSignup(options, context)));

  addCommand(program, 'simulate', 'judges a history of past signups, and compares two policies')
    .argument(
      '<signups>',
      'a .csv or .ndjson file with time, email, ip_address, user_agent and, if known, label',
    )
    .option('--against <file>', 'another configuration: what would change')
    .option('--json', 'prints the counts as JSON')
    .option('--report <file>', 'writes a report with charts as HTML')
    .action(
      run<SimulateOptions>((options, file = '') =>
        simulate({ ...options, file, showProgress: process.stderr.isTTY === true }, context),
      ),
    );
}
