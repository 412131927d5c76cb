import test, { type ExecutionContext } from 'ava';
import { createProgram, runIn } from '../../src/cli/command.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Runs one command line in an empty folder. None of these commands opens the records. */
function run(t: ExecutionContext, line: string) {
  return runCommand(line === '' ? [] : line.split(' '), temporaryFolder(t));
}

const mistyped: readonly (readonly [line: string, said: string])[] = [
  ['scroe', 'unknown command "scroe"; did you mean "score"?'],
  ['scroe --email a@b.example --ip 192.0.2.1', 'unknown command "scroe"; did you mean "score"?'],
  ['--config a.yaml scroe', 'unknown command "scroe"; did you mean "score"?'],
  ['Score', 'unknown command "Score"; did you mean "score"?'],
  ['SERVE', 'unknown command "SERVE"; did you mean "serve"?'],
  ['sevre', 'unknown command "sevre"; did you mean "serve"?'],
  ['server', 'unknown command "server"; did you mean "serve"?'],
  ['chek', 'unknown command "chek"; did you mean "check"?'],
  ['chk', 'unknown command "chk"; did you mean "check"?'],
  ['check-config', 'unknown command "check-config"'],
  ['rotue POST /signup', 'unknown command "rotue"; did you mean "route"?'],
  ['routes', 'unknown command "routes"; did you mean "route"?'],
  ['simualte a.csv', 'unknown command "simualte"; did you mean "simulate"?'],
  ['simul a.csv', 'unknown command "simul"; did you mean "simulate"?'],
  ['key create', 'unknown command "key"; did you mean "keys"?'],
  ['acounts list', 'unknown command "acounts"; did you mean "accounts"?'],
  ['dta status', 'unknown command "dta"; did you mean "data"?'],
  ['erace a@b.example', 'unknown command "erace"; did you mean "erase"?'],
  ['hlep', 'unknown command "hlep"; did you mean "help"?'],
  ['frobnicate', 'unknown command "frobnicate"'],
  ['keys craete --name shop', 'unknown command "craete"; did you mean "create"?'],
  ['keys lst', 'unknown command "lst"; did you mean "list"?'],
  ['keys ls', 'unknown command "ls"; did you mean "list"?'],
  ['keys revok shop', 'unknown command "revok"; did you mean "revoke"?'],
  ['accounts invte', 'unknown command "invte"; did you mean "invite"?'],
  ['accounts setrole a b', 'unknown command "setrole"; did you mean "set-role"?'],
  ['accounts reset_password a', 'unknown command "reset_password"; did you mean "reset-password"?'],
  ['data stauts', 'unknown command "stauts"; did you mean "status"?'],
  ['data upadte', 'unknown command "upadte"; did you mean "update"?'],
  ['--confg a.yaml', 'unknown option "--confg"; did you mean "--config"?'],
  ['--confg=a/long/way/to/a.yaml', 'unknown option "--confg"; did you mean "--config"?'],
  ['serve --confg a.yaml', 'unknown option "--confg"; did you mean "--config"?'],
  ['-config a.yaml', 'unknown option "-config"; did you mean "--config"?'],
  ['--verison', 'unknown option "--verison"; did you mean "--version"?'],
  ['check --pirnt', 'unknown option "--pirnt"; did you mean "--print"?'],
  ['check --confg a.yaml', 'unknown option "--confg"; did you mean "--config"?'],
  ['score --emial a@b.example --ip 192.0.2.1', 'unknown option "--emial"; did you mean "--email"?'],
  [
    'score --email a@b.example --ip 192.0.2.1 --useragent x',
    'unknown option "--useragent"; did you mean "--user-agent"?',
  ],
  ['keys create --nmae shop', 'unknown option "--nmae"; did you mean "--name"?'],
  ['keys list --josn', 'unknown option "--josn"; did you mean "--json"?'],
  ['data update --accept-shrink', 'unknown option "--accept-shrink"; did you mean "--accept-shrunk"?'],
  ['check -x', 'unknown option "-x"'],
  ['gate.yaml', 'unknown command "gate.yaml"; did you mean "--config gate.yaml"?'],
  ['serve gate.yml', 'unexpected argument "gate.yml"; did you mean "--config gate.yml"?'],
  [
    'check etc/gate.yaml --print',
    'unexpected argument "etc/gate.yaml"; did you mean "--config etc/gate.yaml"?',
  ],
  ['erase a@b.example c@d.example', 'unexpected argument "c@d.example"'],
];
for (const [line, said] of mistyped) {
  test(`gatekeeper ${line}: ${said}`, async (t) => {
    const { code, err } = await run(t, line);
    t.is(err.split('\n')[0], said);
    t.is(code, 1);
  });
}

const helps: readonly (readonly [line: string, hint: string])[] = [
  ['frobnicate', '(gatekeeper --help lists the commands)'],
  ['keys craete', '(gatekeeper keys --help lists the commands)'],
  ['score', '(gatekeeper score --help shows its arguments and options)'],
  ['score --emial a@b.example', '(gatekeeper score --help shows its arguments and options)'],
  ['keys create --nmae shop', '(gatekeeper keys create --help shows its arguments and options)'],
  ['erase', '(gatekeeper erase --help shows its arguments and options)'],
  ['serve gate.yml', '(gatekeeper serve --help shows its arguments and options)'],
  ['--port x', '(gatekeeper serve --help shows its arguments and options)'],
];
for (const [line, hint] of helps) {
  test(`gatekeeper ${line} names the help of its command`, async (t) => {
    const { code, err } = await run(t, line);
    t.is(err.trimEnd().split('\n').at(-1), hint);
    t.is(code, 1);
  });
}

for (const line of ['--config missing.yaml', 'serve --config missing.yaml', '--config missing.yaml serve']) {
  test(`gatekeeper ${line} serves`, async (t) => {
    const { code, err } = await run(t, line);
    t.regex(err, /^missing\.yaml:1:1: cannot read the configuration file: it does not exist/);
    t.is(code, 1);
  });
}

for (const line of ['check --config=', '--config= check', 'serve --config=', 'simulate a.csv --against=']) {
  test(`gatekeeper ${line} says that the name of the file is missing`, async (t) => {
    const { code, err } = await run(t, line);
    t.regex(
      err,
      /'--(config|against) <file>' argument '' is invalid\. Write the name of a file, or leave it out\./,
    );
    t.is(code, 1);
  });
}

test('a command that may open too few files says how to allow more', async (t) => {
  let said = '';
  const writeError = (text: string) => {
    said += text;
  };
  const error = Object.assign(new Error("EMFILE: too many open files, open 'part.js'"), { code: 'EMFILE' });
  const run = runIn({ writeError, env: {} } as CommandContext, (code) => t.is(code, 2));
  await run(() => Promise.reject(error))(createProgram({} as CommandContext));
  t.regex(said, /^EMFILE: .*Allow more open files: ulimit -n 65536, or LimitNOFILE=65536/);
});

test('the help of a command describes its arguments and shows no default of the code', async (t) => {
  const { out } = await run(t, 'doctor --help');
  t.regex(out, /--header <name: value>/);
  t.notRegex(out, /\[\]/);
  t.regex((await run(t, 'route --help')).out, /method +such as POST/);
});

test('help and version without a command belong to the program', async (t) => {
  for (const line of ['--help', '-h', 'help']) {
    const { code, out } = await run(t, line);
    t.regex(out, /^Usage: gatekeeper \[options\] \[command\]/, line);
    t.is(code, 0, line);
  }
  t.regex((await run(t, '--version')).out, /^\d+\.\d+\.\d+\n$/);
  t.regex((await run(t, 'serve --help')).out, /^Usage: gatekeeper serve/);
});

test('a header without a name is refused', async (t) => {
  const { code, err } = await run(t, 'doctor --peer 192.0.2.1 --header 203.0.113.7');
  t.is(code, 1);
  t.regex(err, /Write a header such as "x-forwarded-for: 203\.0\.113\.7"/);
});

test('a missing option is named', async (t) => {
  const { code, err } = await run(t, 'score --ip 192.0.2.1');
  t.regex(err, /^error: required option '--email <address>' not specified/);
  t.is(code, 1);
});

test('an attempt that the API would refuse is refused, by all of its fields', async (t) => {
  const { code, err } = await run(t, `score --email ada --ip here --user-agent ${'x'.repeat(2_049)}`);
  t.is(
    err,
    '--email is not an email address.\n--ip is not an IP address.\n--user-agent has more than 2048 characters.\n',
  );
  t.is(code, 1);
});
