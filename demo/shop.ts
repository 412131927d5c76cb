import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { DEMO_POLICY, type DemoPage, demoPage, welcomePage } from './page/demo-page.ts';
import { customers, type ShopAccount } from './page/shop-parts.ts';
import { WELCOME } from './send-signups.ts';

/** The verifier of the examples, as an app would copy it. */
const { keepRawBody, requireGatekeeper } = (await import(
  new URL('../examples/express/gatekeeper.js', import.meta.url).href
)) as {
  readonly keepRawBody: (request: object, response: object, bytes: Buffer) => void;
  readonly requireGatekeeper: (keys: Readonly<Record<string, string>>) => RequestHandler;
};

export interface ShopOptions {
  /** Of the gate's signatures. */
  readonly assertionSecret: string;
  /** The page without what the shop knows itself. */
  readonly page: (request: express.Request) => Promise<Omit<DemoPage, 'accounts' | 'host'>>;
  /** What the page asks for while it is open; `customers` is the shop's line of newest accounts. */
  readonly controls: (customers: () => string) => Router;
  /** Everything else. */
  readonly dashboard: RequestHandler;
}

const MAX_ACCOUNTS = 50;
/** Another name may be that of a page on the internet which points its name at this machine. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const TOKENS = '../../../src/web/style/tokens.css';
const STYLE = [TOKENS, 'page.css', 'shop.css', 'answers.css', 'decisions.css', 'narrow-screens.css']
  .map((file) => readFileSync(new URL(file, new URL('page/style/', import.meta.url)), 'utf8'))
  .join('\n');
const SCRIPT = readFileSync(new URL('page/page.js', import.meta.url), 'utf8');

/** A small shop without fraud checks of its own: it accepts every signup that the gate signed. */
export function createShop({ assertionSecret, page, controls, dashboard }: ShopOptions): Express {
  const accounts: ShopAccount[] = [];
  const shop = express();
  shop.disable('x-powered-by');
  shop.use((request, response, next) => {
    if (OWN_HOST.test(request.headers.host ?? '')) return next();
    response
      .status(421)
      .send(
        'The demo works only under localhost. From another machine, forward its port: ssh -L 8000:localhost:8000 that-machine',
      );
  });

  shop.get('/', async (request, response) => {
    response.set('Content-Security-Policy', DEMO_POLICY);
    const host = request.headers.host ?? '';
    response.send(demoPage({ ...(await page(request)), accounts, host }));
  });
  shop.get('/demo/style.css', (_request, response) => void response.type('css').send(STYLE));
  shop.get('/demo/page.js', (_request, response) => void response.type('js').send(SCRIPT));
  const readForm = express.urlencoded({ extended: false, verify: keepRawBody });
  shop.post('/signup', readForm, requireGatekeeper({ generated: assertionSecret }), (request, response) => {
    const { name } = request.body as { readonly name?: string };
    const { score, verified } = (request as unknown as Judged).gatekeeper;
    accounts.unshift({ name: name || 'Someone', score, verified });
    accounts.length = Math.min(accounts.length, MAX_ACCOUNTS);
    response.redirect(303, `${WELCOME}?${new URLSearchParams({ name: name ?? '' })}`);
  });
  shop.get(WELCOME, (request, response) => {
    response.set('Content-Security-Policy', DEMO_POLICY);
    response.send(welcomePage(String(request.query.name || 'friend')));
  });
  shop.use(
    '/demo',
    controls(() => customers(accounts)),
  );
  shop.use(dashboard);
  return shop;
}

interface Judged {
  readonly gatekeeper: { readonly score: number; readonly verified: boolean };
}

/** Opens the shop on a free port of this machine: only the gate and the demo reach it. */
export function listen(shop: Express): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const server = shop.listen(0, '127.0.0.1', (error?: Error) =>
      error ? reject(error) : resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}
