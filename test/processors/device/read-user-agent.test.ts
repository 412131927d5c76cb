import test from 'ava';
import { readUserAgent } from '../../../src/processors/device/read-user-agent.ts';
import { DEVICE_DATASETS } from '../../helpers/device-attempts.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const read = (text: string) => readUserAgent(text, DEVICE_DATASETS);

test('evidence names browser, version and system', (t) => {
  t.is(read(CURRENT_BROWSERS['Chrome on Windows']).evidence, 'Chrome 157 on Windows');
  t.is(read(CURRENT_BROWSERS['Samsung Internet']).evidence, 'Samsung Internet 30 on Android');
  t.is(read(CURRENT_BROWSERS['Safari on iOS']).evidence, 'Mobile Safari 27 on iOS');
  t.deepEqual(read(CURRENT_BROWSERS['Chrome on Windows']).fields, {
    ...{ browser: 'Chrome', version: 157, system: 'Windows' },
  });
});

test('forks, desktop applications and old phones are unusual browsers', (t) => {
  const unusual = [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.41.0 Chrome/150.0.7000.10 Electron/40.1.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0 SeaMonkey/2.60',
    'Nokia6280/2.0 (03.60) Profile/MIDP-2.0 Configuration/CLDC-1.1',
  ];
  for (const text of unusual) t.like(read(text), { classification: 'unusual_browser', findings: [] });
});

test('a text that names no product at all is malformed', (t) => {
  for (const text of ['asdf', 'lorem (ipsum) dolor', 'My Browser', '-', '12345']) {
    t.like(read(text).findings, [{ code: 'malformed_user_agent' }], text);
  }
});

test('one cause gives one finding: a program is not also malformed or outdated, a malformed one has no age', (t) => {
  const headlessOnIos =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/537.36 HeadlessChrome/60.0.1.1 Safari/537.36';
  t.like(read(headlessOnIos), { release: null, findings: { length: 1 } });
  const oldImpossible =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.90 Mobile Safari/537.36';
  t.like(read(oldImpossible), {
    release: null,
    findings: { length: 1, 0: { code: 'malformed_user_agent' } },
  });
});

test('a version that Apple left out is malformed', (t) => {
  const safari20 = CURRENT_BROWSERS['Safari on macOS'].replace('Version/27.0', 'Version/20.0');
  t.like(read(safari20).findings[0], {
    code: 'malformed_user_agent',
    evidence: 'a version that was never released',
  });
});
