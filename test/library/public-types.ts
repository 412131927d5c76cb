// The types that apps see. `tsc` checks this file, here and against the packed package: nothing runs it.
import { createServer } from 'node:http';
import Router from '@koa/router';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { createGatekeeper, type Gatekeeper, type SignupScore } from '../../src/library/create-gatekeeper.ts';
import { judgeSignup as forExpress } from '../../src/library/express.ts';
import { judgeSignup as forFastify } from '../../src/library/fastify.ts';
import { judgeSignup as forHono } from '../../src/library/hono.ts';
import { judgeSignup as forHttp } from '../../src/library/http.ts';
import { judgeSignup as forKoa } from '../../src/library/koa.ts';

type ActionAtHand = 'forward' | 'verify' | undefined;

export async function useTypes(): Promise<void> {
  const gatekeeper: Gatekeeper = await createGatekeeper({ config: 'gatekeeper.yaml' });
  const score: SignupScore = await gatekeeper.score({ email: 'a@b.example', ipAddress: '192.0.2.1' });
  const level: 'low' | 'medium' | 'high' | null = score.riskLevel;
  // @ts-expect-error the address is required
  await gatekeeper.score({ email: 'a@b.example' });
  // @ts-expect-error there is no such label
  await gatekeeper.feedback(score.requestId, 'spam');
  // @ts-expect-error there is no such action
  forExpress(gatekeeper, { onHigh: 'blok' });
  // @ts-expect-error mails need the gate
  forExpress(gatekeeper, { verify: { by: 'email' } });
  // An option from an environment variable may be undefined.
  const mode = process.env.DRY_RUN ? 'monitor' : undefined;
  forExpress(gatekeeper, { mode, name: process.env.ROUTE });
  await createGatekeeper({ config: process.env.GATEKEEPER_CONFIG });

  express().post('/signup', express.json(), forExpress(gatekeeper), (request, response) => {
    const action: ActionAtHand = request.gatekeeper?.action;
    response.json({ action, level, email: request.body.email });
  });
  express().post<{ team: string }, unknown, { email: string }>(
    '/:team',
    forExpress(gatekeeper),
    (request) => {
      const { email }: { email: string } = request.body;
      return { email, team: request.params.team };
    },
  );
  new Router().post('/signup', forKoa(gatekeeper), (context) => {
    const action: ActionAtHand = context.state.gatekeeper?.action;
    context.body = { action };
  });
  new Koa().use(forKoa(gatekeeper)).use((context) => {
    const action: ActionAtHand = context.state.gatekeeper?.action;
    context.body = { action };
  });
  Fastify().post('/signup', { preHandler: forFastify(gatekeeper) }, (request) => {
    const action: ActionAtHand = request.gatekeeper?.action;
    return { action };
  });
  new Hono().post('/signup', forHono(gatekeeper), (context) => {
    const action: ActionAtHand = context.get('gatekeeper')?.action;
    return context.json({ action });
  });
  createServer(
    forHttp(gatekeeper, (request, response) => {
      const action: ActionAtHand = request.gatekeeper?.action;
      response.end(action);
    }),
  );
}
