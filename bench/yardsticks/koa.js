// Scoring signups the way the guides of Koa, @koa/router, koa-bodyparser and ajv show it.
import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { Ajv } from 'ajv';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { openJudging } from './judging.js';

const { keys, score } = await openJudging();
const validate = new Ajv({ allErrors: true }).compile({
  type: 'object',
  properties: {
    email: { type: 'string', maxLength: 254 },
    ip_address: { type: 'string', maxLength: 64 },
    user_agent: { type: ['string', 'null'], maxLength: 2048 },
  },
  required: ['email', 'ip_address'],
});

const app = new Koa();
const router = new Router();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.expose ? error.message : 'Internal Server Error' };
    if (ctx.status >= 500) ctx.app.emit('error', error, ctx);
  }
});
app.use(bodyParser({ enableTypes: ['json'], jsonLimit: '16kb' }));

async function authenticate(ctx, next) {
  const hash = createHash('sha256').update(ctx.get('X-API-Key')).digest('hex');
  const account = keys.get(hash);
  if (account === undefined) ctx.throw(401, 'invalid API key');
  ctx.state.account = account;
  await next();
}

router.post('/score-signup', authenticate, async (ctx) => {
  const fields = ctx.request.body;
  if (!validate(fields)) ctx.throw(400, 'invalid request');
  const answer = await score(fields, ctx.state.account);
  if (answer === null) ctx.throw(400, 'invalid request');
  ctx.set('Cache-Control', 'no-store');
  ctx.body = answer;
});

app.use(router.routes());
app.use(router.allowedMethods());

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
