import test from 'ava';
import fc from 'fast-check';
import { REASONS, type ReasonCode } from '../../../src/assessment/reasons.ts';
import { scoreFactors } from '../../../src/assessment/score.ts';
import { createDeviceProcessor } from '../../../src/processors/device/device-processor.ts';
import { anyCharacter } from '../../helpers/any-character.ts';
import { DEVICE_DATASETS, deviceAttempt, deviceDatasets, NOW } from '../../helpers/device-attempts.ts';
import { DEFAULT_POLICY, examinations } from '../../helpers/examinations.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const processor = createDeviceProcessor({ datasets: deviceDatasets() });

function examine(facts: Parameters<typeof deviceAttempt>[0]) {
  const examination = processor.examine(deviceAttempt(facts));
  if (examination instanceof Promise) throw new Error('the device processor waits for nothing');
  return examination;
}

function scored(facts: Parameters<typeof deviceAttempt>[0]) {
  const score = scoreFactors(examinations({ user_agent: examine(facts) }), [], DEFAULT_POLICY);
  const factor = score.factors[3];
  if (!factor) throw new Error('the user agent was not scored');
  return { score: factor.score, level: factor.riskLevel, reason: factor.reason.code, whole: score.riskLevel };
}

for (const [name, userAgent] of Object.entries(CURRENT_BROWSERS)) {
  test(`${name} is a standard browser`, (t) => {
    t.like(scored({ userAgent }), { score: 95, level: 'low', reason: 'standard_browser' });
  });
}

const PROGRAMS: readonly (readonly [userAgent: string, code: ReasonCode])[] = [
  ['curl/8.11.0', 'automation_tool'],
  ['Wget/1.21.4', 'automation_tool'],
  ['python-requests/2.32.3', 'automation_tool'],
  ['Python/3.12 aiohttp/3.10.5', 'automation_tool'],
  ['Go-http-client/1.1', 'automation_tool'],
  ['axios/1.7.7', 'automation_tool'],
  ['node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', 'automation_tool'],
  ['node', 'automation_tool'],
  ['undici', 'automation_tool'],
  ['Java/17.0.2', 'automation_tool'],
  ['Java-http-client/21.0.1', 'automation_tool'],
  ['Apache-HttpClient/4.5.14 (Java/17.0.2)', 'automation_tool'],
  ['libwww-perl/6.67', 'automation_tool'],
  ['PostmanRuntime/7.42.0', 'automation_tool'],
  ['insomnia/10.1.1', 'automation_tool'],
  ['GuzzleHttp/7', 'automation_tool'],
  ['Ruby', 'automation_tool'],
  ['Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1', 'automation_tool'],
  ['sqlmap/1.8.10#stable (https://sqlmap.org)', 'automation_tool'],
  ['SomethingNew/1.4.2', 'automation_tool'],
  [CURRENT_BROWSERS['Chrome on Windows'].replace('Chrome/', 'HeadlessChrome/'), 'headless_browser'],
  [
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
    'headless_browser',
  ],
  ['Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/25.0.1', 'headless_browser'],
  [`${CURRENT_BROWSERS['Chrome on Windows']} Playwright/1.48.2`, 'headless_browser'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'known_crawler'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'known_crawler'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'known_crawler',
  ],
];

for (const [userAgent, reason] of PROGRAMS) {
  test(`${userAgent} is at high risk as ${reason}`, (t) => {
    t.like(scored({ userAgent }), { level: 'high', reason });
  });
}

const APPLICATIONS = [
  'okhttp/4.12.0',
  'Dalvik/2.1.0 (Linux; U; Android 9; SM-G965U Build/PPR1.180610.011)',
  'Shop/412 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Shop/3.1 (iPhone; iOS 17.1.2; Scale/3.00)',
  'Dart/3.5 (dart:io)',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.7800.99 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 406.0.0.58.159 (iPhone16,2; iOS 18_7; de_DE)',
];

for (const userAgent of APPLICATIONS) {
  test(`${userAgent} is a mobile application at low risk`, (t) => {
    t.like(scored({ userAgent }), { score: 80, level: 'low', reason: 'mobile_app' });
  });
}

test('a missing user agent counts 50 at the API and 20 through the gate', (t) => {
  t.like(scored({ userAgent: null }), { score: 50, level: 'medium', reason: 'missing_user_agent' });
  t.like(scored({ userAgent: null, door: 'gate', headers: [] }), {
    score: 20,
    level: 'high',
    whole: 'medium',
  });
});

test('an old Chrome on an old phone loses 30 points and no more, and the signup stays low', (t) => {
  const userAgent =
    'Mozilla/5.0 (Linux; Android 4.4.2; SM-G7102 Build/KOT49H) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/62.0.3202.84 Mobile Safari/537.36';
  t.like(scored({ userAgent }), { score: 65, level: 'medium', reason: 'outdated_browser', whole: 'low' });
});

test('age counts to the moment of the attempt, so that a replayed signup is judged as it was then', (t) => {
  const userAgent = CURRENT_BROWSERS['Chrome on Windows'].replace('157', '90');
  t.is(scored({ userAgent }).reason, 'outdated_browser');
  t.is(scored({ userAgent, receivedAt: NOW - 3 * 365 * 86_400_000 }).reason, 'standard_browser');
});

test('a browser newer than the table is believed as far as the time since then can explain', (t) => {
  const newer = (version: number) => CURRENT_BROWSERS['Chrome on Windows'].replace('157', String(version));
  t.is(scored({ userAgent: newer(160) }).reason, 'standard_browser');
  t.is(scored({ userAgent: newer(183) }).reason, 'malformed_user_agent');
  t.is(scored({ userAgent: newer(183), receivedAt: NOW + 365 * 86_400_000 }).reason, 'standard_browser');
  t.is(scored({ userAgent: newer(999) }).reason, 'malformed_user_agent');
});

test('a new table of releases invalidates cached readings', (t) => {
  const datasets = { current: deviceDatasets().current };
  const renewed = createDeviceProcessor({ datasets });
  const attempt = deviceAttempt({ userAgent: CURRENT_BROWSERS['Chrome on Windows'].replace('157', '170') });
  t.like(renewed.examine(attempt), { findings: [{ code: 'malformed_user_agent' }] });
  const versions = [1, 170];
  datasets.current = deviceDatasets({
    ...DEVICE_DATASETS,
    browsers: new Map([['chrome', { versions, releasedAt: [0, NOW] }]]),
  }).current;
  t.like(renewed.examine(attempt), { findings: [] });
});

test('headers are looked at through the gate, for browsers and not for applications', (t) => {
  const headers = [['Sec-CH-UA', '"Chromium";v="120"']] as const;
  const browser = { userAgent: CURRENT_BROWSERS['Firefox on Windows'], door: 'gate', headers } as const;
  t.is(scored(browser).reason, 'inconsistent_headers');
  t.is(scored({ ...browser, headers: null, door: 'api' }).reason, 'standard_browser');
  t.is(scored({ ...browser, userAgent: 'Shop/412 CFNetwork/1494.0.7 Darwin/23.4.0' }).reason, 'mobile_app');
});

test('any text is examined, twice alike, with codes of the user agent and short evidence', (t) => {
  const texts = fc.oneof(
    fc.string({ maxLength: 2048, unit: anyCharacter }),
    fc
      .array(
        fc.constantFrom(
          'Mozilla/5.0 ',
          '(',
          ')',
          'Windows NT 10.0; ',
          'Chrome/',
          '9'.repeat(40),
          '/',
          ' Version/',
        ),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const userAgent = text === '' ? null : text;
      const examination = examine({ userAgent });
      t.deepEqual(examine({ userAgent }), examination);
      for (const { code, evidence } of examination.findings) {
        t.is(REASONS[code].factor, 'user_agent');
        t.true((evidence ?? '').length <= 200);
      }
      t.true((examination.evidence ?? '').length <= 200);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('evidence repeats neither an email address nor a long text of the sender', (t) => {
  for (const userAgent of [
    'anna.secret@mail.example bot',
    `x${'y'.repeat(2000)}`,
    'anna.secret@mail.example/1.0',
  ]) {
    const written = JSON.stringify(examine({ userAgent }));
    t.notRegex(written, /secret|yyyyyyyyyyyyyyyy/);
  }
});

const VISITOR = { userAgent: CURRENT_BROWSERS['Chrome on Windows'], door: 'gate' } as const;

test('a browser without a visit of the page with the form loses 20 points, and stays at low risk', (t) => {
  const formVisit = { secondsBefore: null, knownHours: 24 };
  t.deepEqual(scored({ ...VISITOR, formVisit }), {
    ...{ score: 75, level: 'low', reason: 'no_form_visit', whole: 'low' },
  });
  t.like(examine({ ...VISITOR, formVisit }).findings[0], {
    evidence: 'no visit of the page with the form in the last 24 hours',
    fields: { form_visit_hours: 24 },
    shared: true,
  });
});

test('the evidence names the time as it is known, and an hour in the singular', (t) => {
  const [finding] = examine({ ...VISITOR, formVisit: { secondsBefore: null, knownHours: 1 } }).findings;
  t.is(finding?.evidence, 'no visit of the page with the form in the last hour');
});

test('a visit before is no finding, and the evidence says how long before', (t) => {
  const { evidence, fields, findings } = examine({
    ...VISITOR,
    formVisit: { secondsBefore: 12, knownHours: 1 },
  });
  t.deepEqual(findings, []);
  t.regex(evidence ?? '', /^Chrome 157.*, the page with the form was visited 12 s before$/);
  t.like(fields, { browser: 'Chrome', form_visited_before: 12 });
});

test('a mobile application has its own form: no visit is expected of it', (t) => {
  const formVisit = { secondsBefore: null, knownHours: 24 };
  t.deepEqual(examine({ userAgent: 'okhttp/4.12.0', formVisit }).findings, []);
});

test('nothing changes when it is not known whether there was a visit', async (t) => {
  const known = examine(VISITOR);
  t.deepEqual(examine({ ...VISITOR, formVisit: null }), known);
  const later = processor.examine(deviceAttempt({ ...VISITOR, formVisit: Promise.resolve(null) }));
  t.deepEqual(await later, known);
});

test('a visit that other processes are asked about decides when they have answered', async (t) => {
  const formVisit = Promise.resolve({ secondsBefore: null, knownHours: 2 });
  const examination = await processor.examine(deviceAttempt({ ...VISITOR, formVisit }));
  t.deepEqual(
    examination.findings.map(({ code }) => code),
    ['no_form_visit'],
  );
});
