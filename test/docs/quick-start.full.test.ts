import test from 'ava';
import { isInstalled } from '../helpers/programs.ts';
import { parsePage, readPages } from './read-page.ts';
import { runPage } from './run-page.ts';

/** Skipped where curl is missing. */
const check = isInstalled('curl') ? test : test.skip;

for (const [path, expected] of [
  ['README.md', 1],
  ['docs/protect-a-form.md', 2],
  ['docs/api.md', 3],
] as const) {
  check(`what ${path} shows is what curl gets from a real process`, async (t) => {
    const page = readPages().find((one) => one.path === path);
    if (!page) return t.fail(`${path} is missing`);
    const { wrong, commands } = await runPage(t, page);
    t.deepEqual(wrong, []);
    t.is(commands, expected);
  });
}

check('another status, field or value than the real one is found', async (t) => {
  const fence = '```';
  const score = (answer: string) => `${fence}sh
curl -s http://127.0.0.1:8080/score-signup -H 'X-API-Key: gk_live_…' -H 'Content-Type: application/json' \\
  -d '{"email":"jane.doe@gmail.com","ip_address":"2.125.160.216"}'
${fence}

${answer}
`;
  const page = parsePage(
    'planted.md',
    [
      score(`${fence}json\n{"trust_score": 99, "factors": "none"}\n${fence}`),
      `${fence}sh\ncurl -si http://127.0.0.1:8080/livez\n${fence}\n`,
      `${fence}http\nHTTP/1.1 201 Created\nX-Request-Id: …\n${fence}\n`,
      `${fence}sh\ncurl -s http://127.0.0.1:8080/usage\n${fence}\n`,
    ].join('\n'),
  );
  const { wrong } = await runPage(t, page);
  t.true(
    wrong.some((one) => /^planted\.md:6 \/trust_score is \d+, not 99$/.test(one)),
    wrong.join('\n'),
  );
  t.true(wrong.includes('planted.md:6 /factors is undefined, not "none"'), wrong.join('\n'));
  t.true(
    wrong.some((one) => one.startsWith('planted.md:14 the answer has no "HTTP/1.1 201 Created"')),
    wrong.join('\n'),
  );
  t.true(
    wrong.some((one) => /^planted\.md:19 curl failed: .*missing_api_key/.test(one)),
    wrong.join('\n'),
  );
});
