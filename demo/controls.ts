import express, { type RequestHandler, type Router } from 'express';
import type { DecisionFeed } from './decision-feed.ts';
import { MODES, type ModeName } from './modes.ts';
import type { SendResult } from './send-signups.ts';
import type { SenderKind } from './senders/senders.ts';

export interface Controls {
  readonly feed: DecisionFeed;
  readonly mode: () => ModeName;
  /** @throws Error when Gatekeeper refuses the configuration. */
  readonly setMode: (mode: ModeName) => Promise<void>;
  readonly isSender: (kind: string) => kind is SenderKind;
  /** @throws Error when the gate does not answer. */
  readonly send: (kind: SenderKind) => Promise<SendResult>;
  readonly customers: () => string;
  /** For the link that the terminal shows. */
  readonly signIn: RequestHandler;
}

/** What the page of the demo asks for: the newest decisions, senders, another mode. */
export function createControls(parts: Controls): Router {
  const { feed, mode, setMode, isSender, send, customers, signIn } = parts;
  const controls = express.Router();
  let isBusy = false;
  /** One at a time: two senders at once would be counted as one campaign. */
  const alone =
    (work: RequestHandler<{ name: string }>): RequestHandler<{ name: string }> =>
    async (request, response, next) => {
      if (request.get('sec-fetch-site') === 'cross-site')
        return void response.status(403).json({ error: 'This request comes from another site.' });
      if (isBusy) return void response.status(409).json({ error: 'Another button is still at work.' });
      isBusy = true;
      try {
        await work(request, response, next);
      } catch (error) {
        response.status(502).json({ error: error instanceof Error ? error.message : String(error) });
      } finally {
        isBusy = false;
      }
    };

  controls.get('/sign-in/:token', signIn);
  controls.get('/decisions', (request, response) => {
    const after = Number(request.query.after);
    const decisions = feed.after(Number.isSafeInteger(after) ? after : 0);
    const newest = decisions.at(-1)?.number ?? after;
    response.set('Cache-Control', 'no-store');
    response.json({ newest, decisions, days: feed.days(), mode: mode(), customers: customers() });
  });
  controls.post(
    '/senders/:name',
    alone(async ({ params: { name } }, response) => {
      if (!isSender(name)) return void response.status(404).json({ error: `There is no sender "${name}".` });
      response.json(await send(name));
    }),
  );
  controls.post(
    '/modes/:name',
    alone(async ({ params: { name } }, response) => {
      if (!Object.hasOwn(MODES, name)) {
        response.status(404).json({ error: `There is no mode "${name}".` });
        return;
      }
      await setMode(name as ModeName);
      response.json({ mode: name });
    }),
  );
  return controls;
}
