import { check } from './check.ts';
import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { loadEffective, loadFrom } from './load-config.ts';
import { route } from './route.ts';
import { scoreSignup } from './score-signup.ts';
import { simulate } from './simulate.ts';

interface ScoreArguments extends WithConfig {
  readonly email: string;
  readonly ip: string;
  readonly userAgent?: string;
  readonly json?: boolean;
}

interface SimulateArguments extends WithConfig {
  readonly against?: string;
  readonly json?: boolean;
  readonly report?: string;
}

/** What says how a configuration would judge, without serving it: `check`, `route`, `score` and `simulate`. */
export function addJudgingCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'check', 'says everything that is wrong with the configuration')
    .option('--print', 'prints the effective configuration, secrets redacted')
    .action(
      run<WithConfig & { readonly print?: boolean }>((options) =>
        check(
          { config: options.config ?? null, print: options.print ?? false, load: loadFrom(context) },
          context,
        ),
      ),
    );

  addCommand(program, 'route', 'says whether and why the gate would judge a request')
    .argument('<method>')
    .argument('<url>', 'a path or a URL')
    .action(
      run<WithConfig>((options, method = '', url = '') =>
        route({ config: loadEffective(options.config ?? null, context).config, method, url }, context),
      ),
    );

  addCommand(program, 'score', 'scores one attempt and explains how')
    .requiredOption('--email <address>', 'the email to sign up with')
    .requiredOption('--ip <address>', 'the address it comes from')
    .option('--user-agent <text>', 'the user agent')
    .option('--json', 'prints the decision as JSON')
    .action(
      run<ScoreArguments>((options) =>
        scoreSignup(
          {
            config: options.config ?? null,
            email: options.email,
            ip: options.ip,
            userAgent: options.userAgent ?? null,
            json: options.json ?? false,
          },
          context,
        ),
      ),
    );

  addCommand(program, 'simulate', 'judges a history of past signups, and compares two policies')
    .argument(
      '<signups>',
      'a .csv or .ndjson file with time, email, ip_address, user_agent and, if known, label',
    )
    .option('--against <file>', 'another configuration: what would change')
    .option('--json', 'prints the counts as JSON')
    .option('--report <file>', 'writes a report with charts as HTML')
    .action(
      run<SimulateArguments>((options, file = '') =>
        simulate(
          {
            file,
            config: options.config ?? null,
            against: options.against ?? null,
            json: options.json ?? false,
            report: options.report ?? null,
            showProgress: process.stderr.isTTY === true,
          },
          context,
        ),
      ),
    );
}
