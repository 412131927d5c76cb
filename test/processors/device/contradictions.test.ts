import test from 'ava';
import { readClaimedBrowser } from '../../../src/processors/device/claimed-browser.ts';
import { contradictionIn } from '../../../src/processors/device/contradictions.ts';
import { CURRENT_BROWSERS } from '../../helpers/user-agents.ts';

const contradiction = (text: string) => contradictionIn(text, readClaimedBrowser(text));

const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'Safari 17 on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  'Chrome on iOS under its own name':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.0.0 Mobile Safari/537.36',
  'Chrome on iOS without its build':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/148.0.0.0 Mobile/15E148 Safari/604.1',
  'Windows and iPhone at once':
    'Mozilla/5.0 (Windows NT 10.0; iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Windows and Android at once':
    'Mozilla/5.0 (Windows NT 10.0; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Windows 11 by number':
    'Mozilla/5.0 (Windows NT 11.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'the old Edge on a Mac':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763',
  'Internet Explorer 11 on Linux': 'Mozilla/5.0 (X11; Linux x86_64; Trident/7.0; rv:11.0) like Gecko',
  'a Firefox of another revision':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:60.0) Gecko/20100101 Firefox/128.0',
  'an Edge of another Chromium':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/91.0.864.59',
  'a Chrome with an engine of 2011':
    'Mozilla/5.0 (Windows NT 5.2) AppleWebKit/531.1 (KHTML, like Gecko) Chrome/43.0.2357.0 Safari/531.1',
  'a build that Chrome 53 never had':
    'Mozilla/5.0 (Linux; Android 5.0; SM-G900P Build/LRX21T) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/53.0.7149.1690 Mobile Safari/537.36',
  'a platform without a browser': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  'half a name': 'Mozilla/5.0',
  'the header name repeated': `User-Agent: ${CURRENT_BROWSERS['Chrome on Windows']}`,
  quotes: `"${CURRENT_BROWSERS['Chrome on Windows']}"`,
  'an empty placeholder':
    'Mozilla/5.0 ({{os}}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'a control character': `${CURRENT_BROWSERS['Chrome on Windows']}\u0000`,
  'a line break': `${CURRENT_BROWSERS['Chrome on Windows']}\r\nX-Injected: 1`,
  'an attack on databases': "x') OR 941=(SELECT 941 FROM PG_SLEEP(15))--",
};

for (const [what, text] of Object.entries(IMPOSSIBLE)) {
  test(`${what} cannot be`, (t) => {
    t.is(typeof contradiction(text), 'string');
  });
}

/** Spellings that look wrong and were really sent, from vendors' documentation and the public corpora. */
const ODD_BUT_REAL: Readonly<Record<string, string>> = {
  'Internet Explorer on Windows Phone':
    'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 635) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537',
  'the old Edge on Windows Phone':
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 650) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
  'Facebook for Windows, built from its iOS application':
    'Mozilla/5.0 (Windows NT 10.0.16299.98; osmeta 10.3.3308) AppleWebKit/602.1.1 (KHTML, like Gecko) Version/9.0 Safari/602.1.1 osmeta/10.3.3308',
  'Safari 5 on Windows':
    'Mozilla/5.0 (Windows NT 5.1) AppleWebKit/534.27+ (KHTML, like Gecko) Version/5.0.4 Safari/533.20.27',
  'GNOME Web on Linux':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  'the desktop page of Xiaomi’s browser':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/534.24 (KHTML, like Gecko) Chrome/71.0.3578.141 Safari/534.24 XiaoMi/MiuiBrowser/11.4.3-g',
  'Firefox 115 with the frozen revision':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0',
  'a fork that counts otherwise':
    'Mozilla/5.0 (Windows NT 10.0; rv:52.9) Gecko/20100101 Goanna/3.4 Firefox/52.9 PaleMoon/27.9.1',
};

for (const [what, text] of [...Object.entries(ODD_BUT_REAL), ...Object.entries(CURRENT_BROWSERS)]) {
  test(`${what} can be`, (t) => {
    t.is(contradiction(text), null);
  });
}
