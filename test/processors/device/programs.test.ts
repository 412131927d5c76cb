import test from 'ava';
import { parseUserAgent } from '../../../src/processors/device/parse-user-agent.ts';
import { isMobileApplication, programIn } from '../../../src/processors/device/programs.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const program = (text: string) => programIn(text, parseUserAgent(text).botMatch);
const phone = (model: string) =>
  `Mozilla/5.0 (Linux; Android 13; ${model} Build/TP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;

/** Words of tools and crawlers in the names of phones, applications and people's browsers. */
const PEOPLE = [
  phone('CUBOT KINGKONG'),
  phone('Hyper 8'),
  phone('Hydra One'),
  phone('Needle X'),
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Phantom/ios/24.3.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36',
  'Mozilla/4.0 (compatible; Dillo 3.0)',
  'Dillo/3.2.0',
  'edbrowse/3.8.0',
  'URL/Emacs Emacs/29.1 (X11; x86_64-pc-linux-gnu)',
  'UnityPlayer/2022.3.10f1 (UnityWebRequest/1.0, libcurl/8.1.1-DEV)',
  'GodotEngine/4.3.stable.official (Android)',
  'CamScanner/4.8 Dalvik/2.1.0 (Linux; U; Android 14; SM-S918B Build/UP1A)',
  ...Object.values(CURRENT_BROWSERS),
];

for (const text of PEOPLE) {
  test(`a person sends ${text}`, (t) => {
    t.is(program(text), null);
  });
}

test('a crawler that speaks through a mobile library is a crawler', (t) => {
  t.is(program('ExampleBot/1.0 okhttp/4.12.0')?.code, 'known_crawler');
  t.true(isMobileApplication('ExampleBot/1.0 okhttp/4.12.0'));
});

test('a headless browser that names itself is one, even when it also names a tool', (t) => {
  t.is(program('HeadlessChrome/120.0 curl/8.0')?.code, 'headless_browser');
});

test('evidence is the tool’s name or a fixed phrase, and short', (t) => {
  t.is(program('python-requests/2.32.3')?.evidence, 'python-requests');
  t.is(
    program('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')?.evidence,
    'Googlebot',
  );
  for (const text of [`grpc-${'a-'.repeat(900)}`, `${'a'.repeat(1500)}bot/1.0`, `x/${'9'.repeat(900)}`]) {
    t.true((program(text)?.evidence ?? '').length <= 60, text.slice(0, 20));
  }
});
