import type { Server } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { type ShopAccount, shopPage, thanksPage } from './shop-pages.ts';
import { VISITORS, type VisitorKind } from './visitors.ts';

/** The verifier of the examples, as an app would copy it. */
const { keepRawBody, requireGatekeeper } = (await import(
  new URL('../examples/express/gatekeeper.js', import.meta.url).href
)) as {
  readonly keepRawBody: (request: object, response: object, bytes: Buffer) => void;
  readonly requireGatekeeper: (keys: Readonly<Record<string, string>>) => RequestHandler;
};

export interface ShopOptions {
  readonly assertionSecret: string;
  /** The URL of the gate for visitors. */
  readonly gateUrl: string;
  readonly dashboardUrl: string;
}

const MAX_ACCOUNTS = 50;

/** A small shop without fraud checks of its own: it accepts every signup that the gate signed. */
export function createShop({ assertionSecret, gateUrl, dashboardUrl }: ShopOptions): Express {
  const accounts: ShopAccount[] = [];
  const shop = express();
  shop.use(express.urlencoded({ extended: false, verify: keepRawBody }));

  shop.get('/', (_request, response) => {
    response.send(shopPage({ accounts, visitors: VISITORS, dashboardUrl }));
  });
  shop.post('/signup', requireGatekeeper({ generated: assertionSecret }), (request, response) => {
    const { email, name } = request.body as { readonly email: string; readonly name?: string };
    const { score, risk_level, verified } = (request as unknown as Judged).gatekeeper;
    accounts.unshift({ name: name || 'no name', email, score, riskLevel: risk_level, verified });
    accounts.length = Math.min(accounts.length, MAX_ACCOUNTS);
    response.redirect(303, `/thanks?${new URLSearchParams({ name: name ?? '' })}`);
  });
  shop.get('/thanks', (request, response) => {
    response.send(thanksPage(String(request.query.name || 'friend')));
  });
  shop.post('/visitors/:kind', async (request, response) => {
    const kind = request.params.kind as VisitorKind;
    if (!Object.hasOwn(VISITORS, kind)) return void response.sendStatus(404);
    for (const { address, headers, fields } of VISITORS[kind].signups()) {
      await fetch(`${gateUrl}/signup`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, 'x-forwarded-for': address },
        body: new URLSearchParams(fields),
      });
    }
    response.redirect(303, '/');
  });
  return shop;
}

interface Judged {
  readonly gatekeeper: { readonly score: number; readonly risk_level: string; readonly verified: boolean };
}

export function listen(shop: Express, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = shop.listen(port, '127.0.0.1', (error?: Error) =>
      error ? reject(error) : resolve(server),
    );
  });
}
