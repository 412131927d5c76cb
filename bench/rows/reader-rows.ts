import type { Bench } from '../bench.ts';
import type { Row } from '../row.ts';
import { createSignups } from '../signups.ts';
import { type Operation, timeOperation } from '../time-operation.ts';

const SEED = 11;
const ROUTES = `
proxy:
  upstream: http://127.0.0.1:3000
  routes:
    - {name: signup, path: /signup, verify: {by: upstream}}
    - {name: api, path: /api/v1/users, verify: {by: upstream}}
    - {name: invited, path: "/invite/:token/accept", verify: {by: upstream}}
`;
/** The headers that a browser sends with every request, by number and length. */
const HEADERS = [
  ...['Host', 'shop.internal', 'Connection', 'keep-alive', 'Accept', 'text/html,application/xhtml+xml'],
  ...['User-Agent', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0'],
  ...['Accept-Language', 'de-DE,de;q=0.9', 'Accept-Encoding', 'gzip, deflate, br', 'Cookie', 'session=4f2a'],
  ...['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Mode', 'navigate', 'Referer', 'https://shop.internal/'],
];

/** The parsers: the parts of both doors that every request, or every signup, passes through. */
export async function measureReaders({ built, datasets }: Bench): Promise<readonly Row[]> {
  const signups = Array.from({ length: 1_000 }, createSignups(datasets.current, SEED));
  const bodies = signups.map((signup) => Buffer.from(JSON.stringify(signup)));
  const context = {
    cwd: '.',
    env: {},
    write: () => {},
    writeError: () => {},
    isTerminal: false,
    hasColour: false,
  };
  const { proxy } = built.loadFrom(context)('gatekeeper.yaml', ROUTES).config;
  const matcher = built.compileRoutes(proxy?.routes ?? []);
  const match = (method: string, target: string): Operation => {
    const head = { method, target, rawHeaders: HEADERS };
    return () => matcher.match(head);
  };

  const rows: readonly (readonly [name: string, operation: Operation])[] = [
    ['mailbox', (round) => built.parseMailbox(signups[round % signups.length]?.email ?? '')],
    [
      'address, IPv4 and IPv6',
      (round) => built.parseIpAddress(signups[round % signups.length]?.ip_address ?? ''),
    ],
    ['JSON body', (round) => built.parseJsonBody(bodies[round % bodies.length] ?? Buffer.alloc(0))],
    [
      'JSON body, checked by schema, mailbox and address read',
      (round) => built.readSignupFields(bodies[round % bodies.length] ?? Buffer.alloc(0)),
    ],
    ['route matcher, GET of an ordinary page', match('GET', '/products/1234?colour=red')],
    ['route matcher, POST elsewhere', match('POST', '/cart/items')],
    ['route matcher, a signup', match('POST', '/signup')],
    ['route matcher, a signup spelled oddly', match('POST', '//x/..;a=1/%73ignup/')],
  ];
  const measured: Row[] = [];
  for (const [name, operation] of rows) {
    measured.push({
      name: `reader: ${name}`,
      unit: 'µs',
      target: null,
      values: await timeOperation(operation),
      note: null,
    });
  }
  return measured;
}
