import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { hang, json, openFaultServer, problem, type Reaction, reset, SCORE } from '../client/fault-server.ts';
import { isInstalled, type ProgramResult, runProgram } from '../helpers/programs.ts';
import { startScoringProcess } from '../helpers/scoring-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openUpstreamApp } from '../helpers/upstreams/open-upstream.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/clients/', import.meta.url));
const APPS = fileURLToPath(new URL('./apps/', import.meta.url));
const PYTHONPATH = fileURLToPath(new URL('../../clients/python/src', import.meta.url));
const IP = '198.51.100.7';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';

interface Example {
  readonly file: string;
  readonly programs: readonly string[];
  command(): readonly [string, ...string[]];
}

/** What all tests have in common, ended after the last one. */
const ends: (() => unknown)[] = [];
const suite = { teardown: (end: () => unknown) => ends.push(end) };
const gatekeeper = startScoringProcess(suite);
test.after.always(async () => {
  for (const end of ends.reverse()) await end();
});

const interpreted = (file: string, program: string, ...others: readonly string[]): Example => ({
  file,
  programs: [program, ...others],
  command: () => [program === 'node' ? process.execPath : program, `${EXAMPLES}${file}`],
});

const RUNS: readonly Example[] = [
  interpreted('score-signup-with-client.js', 'node'),
  interpreted('score-signup.js', 'node'),
  interpreted('score_signup.py', 'python3'),
  interpreted('score-signup.sh', 'sh', 'curl', 'jq'),
  interpreted('score-signup.php', 'php'),
  interpreted('score_signup.rb', 'ruby'),
  {
    file: 'score-signup.go',
    programs: ['go'],
    command: () => [buildGoExample()],
  },
];

const FAULTS: Readonly<Record<string, Reaction>> = {
  hangs: hang,
  'resets the connection': reset,
  'is overloaded': problem(503, 'overloaded', { 'retry-after': '60' }),
  'has no quota left': problem(429, 'quota_exceeded', { 'retry-after': '864000' }),
  'refuses the key': problem(401, 'invalid_api_key'),
  'answers garbage': json(200, '{"trust_score": 9'),
  'answers another object': json(200, '{}'),
  'redirects to an answer': json(307, '', { location: '/elsewhere' }),
};

let goProgram: string | undefined;

function buildGoExample(): string {
  if (goProgram !== undefined) return goProgram;
  goProgram = `${temporaryFolder(suite)}/score-signup`;
  execFileSync('go', ['build', '-o', goProgram, `${EXAMPLES}score-signup.go`], {
    env: { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' },
  });
  return goProgram;
}

type Run = (server: { url: string; key: string }, ...args: readonly string[]) => Promise<ProgramResult>;

function runner(command: readonly [string, ...string[]]): Run {
  const [program, ...start] = command;
  return ({ url, key }, ...args) =>
    runProgram(program, [...start, ...args], {
      env: { ...process.env, PYTHONPATH, GATEKEEPER_URL: url, GATEKEEPER_KEY: key },
    });
}

for (const example of RUNS) {
  // What is missing is named by the skipped test's title; the full proof counts it as a failure.
  const testWhereInstalled = example.programs.every(isInstalled) ? test : test.skip;
  const name = `${example.file} (${example.programs.join(', ')})`;

  testWhereInstalled(`${name} accepts, verifies or refuses as Gatekeeper says`, async (t) => {
    const { url, testKey: key } = await gatekeeper;
    const run = runner(example.command());
    const expected = [
      ['accept', 'low@example.com', IP, BROWSER],
      ['accept', 'low@example.com', IP],
      ['verify', 'medium@example.com', '2001:db8::7', BROWSER],
      ['refuse', 'high@example.com', IP, BROWSER],
      ['refuse', 'high@example.com', IP, `a "quoted" \\ 'agent' $(date) ü`],
      ['refuse', 'not an email', IP],
      ['refuse', 'x@mailinator.com.', IP],
      ['refuse', '", "email": "low@example.com', IP],
      ['refuse', `${'a'.repeat(100_000)}@example.com`, IP],
      ['refuse', 'low@example.com', 'unknown'],
      ['refuse', 'low@example.com', IP, 'a'.repeat(3_000)],
      ['refuse', 'low@example.com', IP, 'a'.repeat(20_000)],
    ] as const;
    for (const [action, ...args] of expected) {
      const { code, output } = await run({ url, key }, ...args);
      t.is(output, `${action}\n`, args.join(' ').slice(0, 80));
      t.is(code, 0);
    }
  });

  testWhereInstalled(`${name} never accepts a signup without an email`, async (t) => {
    const { url, testKey: key } = await gatekeeper;
    const { output } = await runner(example.command())({ url, key });
    t.notRegex(output, /^accept$/m);
  });

  testWhereInstalled(`${name} accepts within its time limit, and says so, without a decision`, async (t) => {
    const run = runner(example.command());
    const signup = ['ada@example.com', IP] as const;
    const key = 'gk_live_x';
    for (const [fault, reaction] of Object.entries(FAULTS)) {
      const { url, requests } = await openFaultServer(t, [
        (response, request) =>
          request.url === '/elsewhere'
            ? json(200, { ...SCORE, risk_level: 'high' })(response, request)
            : reaction(response, request),
      ]);
      const { code, output } = await run({ url, key }, ...signup);
      t.regex(output, /^accept$/m, `Gatekeeper ${fault}: ${output}`);
      t.regex(output, /^no decision: ./m, `Gatekeeper ${fault}`);
      t.is(code, 0);
      t.true(requests.every(({ path }) => path === '/score-signup'));
      t.is(requests[0]?.headers['x-api-key'], key);
    }
    const { output } = await run({ url: 'http://127.0.0.1:1', key }, ...signup);
    t.regex(output, /^accept$/m);
    t.regex(output, /^no decision: ./m);
  });
}

const withPhp = isInstalled('php') ? test : test.skip;
withPhp(
  'score-signup.php accepts without a decision inside a web server too, and logs it there',
  async (t) => {
    const port = await openUpstreamApp(t, {
      name: 'php_client.php',
      isInstalled: () => true,
      command: () => [
        ...(['env', 'GATEKEEPER_URL=http://127.0.0.1:1', 'GATEKEEPER_KEY=gk_live_x'] as const),
        ...['php', '-q', '-S', '127.0.0.1:0', `${APPS}php_client.php`],
      ],
    });
    const response = await fetch(`http://127.0.0.1:${port}/?email=ada@example.com`);
    t.deepEqual([response.status, await response.text()], [200, 'accept\n']);
  },
);

test('every example for a client is run', (t) => {
  t.deepEqual(readdirSync(EXAMPLES).sort(), RUNS.map(({ file }) => file).sort());
});
