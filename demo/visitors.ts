/** One sample signup of a visitor. */
interface SampleSignup {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

export type VisitorKind = 'person' | 'disposable' | 'vpn' | 'farm';

interface Visitor {
  readonly label: string;
  readonly signups: () => readonly SampleSignup[];
}

const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml',
  'accept-language': 'en-GB,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const FARM_SIZE = 30;
let farmed = 0;

/** The senders behind the buttons of the shop. Their addresses are in real networks: a home, a VPN, a data centre. */
export const VISITORS: Readonly<Record<VisitorKind, Visitor>> = {
  person: {
    label: 'A person at home',
    signups: () => [signup('2.125.160.216', 'Ada', `ada.lovelace${stamp()}@gmail.com`)],
  },
  disposable: {
    label: 'A disposable mailbox',
    signups: () => [signup('2.125.160.216', 'Tom', `x${stamp()}@mailinator.com`)],
  },
  vpn: {
    label: 'A free mailbox from a data centre',
    signups: () => [signup('138.68.20.14', 'Max', `max${stamp()}@gmail.com`)],
  },
  farm: {
    label: `A bot farm: ${FARM_SIZE} signups`,
    signups: () =>
      Array.from({ length: FARM_SIZE }, (_, i) => {
        farmed += 1;
        return {
          ...signup(`138.68.20.${1 + (i % 200)}`, 'Bot', `promo.user${1_000 + farmed}@gmail.com`),
          headers: { 'user-agent': 'python-requests/2.32.3', accept: '*/*' },
        };
      }),
  },
};

function signup(address: string, name: string, email: string): SampleSignup {
  return { address, headers: BROWSER, fields: { name, email } };
}

/** A random number, so that each click sends another mailbox. */
function stamp(): string {
  return Math.floor(Math.random() * 9_000 + 1_000).toString();
}
