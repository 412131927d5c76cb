import type { CheckOptions } from './check.ts';
import { addCommand, type Command, fileName, headerLine, type Run, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import type { DoctorOptions } from './doctor/doctor.ts';
import type { ScoreOptions } from './score-signup.ts';
import type { SimulateOptions } from './simulate.ts';

/** Commands that show how a configuration would judge, without a server: `check`, `doctor`, `route`, `score` and `simulate`. */
export function addJudgingCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  addCommand(program, 'check', 'checks the configuration and lists every error')
    .option('--print', 'prints the effective configuration without its secrets')
    .action(run<CheckOptions>(async (options) => (await import('./check.ts')).check(options, context)));

  addCommand(program, 'doctor', 'checks configuration and environment, and prints a remedy for each problem')
    .option('--json', 'prints JSON')
    .option(
      '--peer <address>',
      'explains which client address the gate accepts for a connection from this address',
    )
    .option('--header <name: value>', 'a forwarding header of that request; may be repeated', collect)
    .action(
      run<DoctorOptions>(async (options) => (await import('./doctor/doctor.ts')).doctor(options, context)),
    );

  addCommand(program, 'route', 'shows whether and why the gate would judge a request')
    .argument('<method>', 'such as POST')
    .argument('<url>', 'a path or a URL')
    .action(
      run<WithConfig>(async (options, method = '', url = '') => {
        const { loadEffective } = await import('./load-config.ts');
        const { route } = await import('./route.ts');
        return route({ config: loadEffective(options.config, context).config, method, url }, context);
      }),
    );

  addCommand(program, 'score', 'scores one signup and explains the score')
    .requiredOption('--email <address>', 'the email to sign up with')
    .requiredOption('--ip <address>', 'the IP address of the client')
    .option('--user-agent <text>', 'the user agent of the client')
    .option('--json', 'prints the decision as JSON')
    .action(
      run<ScoreOptions>(async (options) => (await import('./score-signup.ts')).scoreSignup(options, context)),
    );

  addCommand(program, 'simulate', 'judges past signups from a file, and compares two policies')
    .argument(
      '<signups>',
      'a .csv or .ndjson file with time, email, ip_address, user_agent and, if known, label',
    )
    .option('--against <file>', 'a second configuration to compare with', fileName)
    .option('--json', 'prints the counts as JSON')
    .option('--columns <names>', 'the field of each column, such as time=created_at,email=mail')
    .option('--report <file>', 'writes a report with charts as HTML')
    .action(
      run<SimulateOptions>(async (options, file = '') => {
        const { simulate } = await import('./simulate.ts');
        return simulate({ ...options, file, showProgress: process.stderr.isTTY === true }, context);
      }),
    );
}

/** The limit of headers of a request (the default of `server.max_header_lines`). */
const MAX_HEADERS = 200;

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, headerLine(value)].slice(0, MAX_HEADERS);
}
