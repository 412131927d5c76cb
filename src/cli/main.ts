#!/usr/bin/env node
import { CommanderError } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { check } from './check.ts';
import { addCommand, createProgram, duration, runIn, type WithConfig } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { dataStatus, dataUpdate } from './data.ts';
import { erase } from './erase.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { loadEffective, loadFrom } from './load-config.ts';
import { route } from './route.ts';
import { score } from './score.ts';
import { serve } from './serve.ts';
import { simulate } from './simulate.ts';
import { withDatasets, withErasure, withKeys } from './with-resources.ts';

const context: CommandContext = {
  cwd: process.cwd(),
  env: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  hasColour: process.stdout.isTTY === true && !process.env.NO_COLOR,
};

const run = runIn(context);
const program = createProgram();

program
  .command('serve', { isDefault: true })
  .description('serves the API (the default command)')
  .option('--config <file>', 'see gatekeeper --help')
  .action(run<WithConfig>((options) => serve({ config: options.config ?? null }, context)));

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

interface ScoreArguments extends WithConfig {
  readonly email: string;
  readonly ip: string;
  readonly userAgent?: string;
  readonly json?: boolean;
}

addCommand(program, 'score', 'scores one attempt and explains how')
  .requiredOption('--email <address>', 'the email to sign up with')
  .requiredOption('--ip <address>', 'the address it comes from')
  .option('--user-agent <text>', 'the user agent')
  .option('--json', 'prints the decision as JSON')
  .action(
    run<ScoreArguments>((options) =>
      score(
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

interface SimulateArguments extends WithConfig {
  readonly against?: string;
  readonly json?: boolean;
  readonly report?: string;
}

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

interface CreateKeyArguments extends WithConfig {
  readonly name: string;
  readonly plan?: string;
  readonly test?: boolean;
  readonly expires?: number;
}

const keys = program.command('keys').description('makes, lists and revokes API keys');
addCommand(keys, 'create', 'makes a key and prints it, this once, alone on standard output')
  .requiredOption('--name <name>', 'what to call it; it gets an account of that name')
  .option('--plan <plan>', 'a plan of the configuration (default: hobby)')
  .option('--test', 'a test key: never counts, low@, medium@ and high@ any domain decide')
  .option('--expires <duration>', 'how long it is valid: 90d', duration)
  .action(
    run<CreateKeyArguments>((options) =>
      withKeys(options.config ?? null, context, (resources) =>
        createKey(
          {
            name: options.name,
            plan: options.plan ?? null,
            test: options.test ?? false,
            expiresInMs: options.expires ?? null,
          },
          resources,
        ),
      ),
    ),
  );
addCommand(keys, 'list', 'lists every key by name and last four')
  .option('--json', 'prints JSON')
  .action(
    run<WithConfig & { readonly json?: boolean }>((options) =>
      withKeys(options.config ?? null, context, (resources) =>
        listKeys({ json: options.json ?? false }, resources),
      ),
    ),
  );
addCommand(keys, 'revoke', 'revokes a key, everywhere within a second')
  .argument('<name-or-last-four>')
  .action(
    run<WithConfig>((options, text = '') =>
      withKeys(options.config ?? null, context, (resources) => revokeKey(text, resources)),
    ),
  );

addAccountCommands(program, { context, run });

const data = program.command('data').description('shows and refreshes the data sets');
addCommand(data, 'status', 'lists every data set with source, licence, date, entries and revision')
  .option('--json', 'prints JSON')
  .action(
    run<WithConfig & { readonly json?: boolean }>((options) =>
      withDatasets(options.config ?? null, context, async (store) =>
        dataStatus({
          datasets: store.current,
          now: Date.now(),
          json: options.json ?? false,
          write: context.write,
        }),
      ),
    ),
  );
addCommand(data, 'update', 'fetches all feeds now')
  .option('--accept-shrunk', 'takes a feed over although it lost more than half of its entries')
  .option('--json', 'prints JSON')
  .action(
    run<WithConfig & { readonly acceptShrunk?: boolean; readonly json?: boolean }>((options) =>
      withDatasets(options.config ?? null, context, (store) =>
        dataUpdate({
          store,
          acceptShrunk: options.acceptShrunk ?? false,
          json: options.json ?? false,
          write: context.write,
        }),
      ),
    ),
  );

addCommand(program, 'erase', 'removes what is stored about a mailbox')
  .argument('<email>')
  .action(
    run<WithConfig>((options, email = '') =>
      withErasure(options.config ?? null, context, (resources) => erase(email, resources)),
    ),
  );

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said what is wrong; its own code for that is 1, and 0 where help or the version was asked for.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
