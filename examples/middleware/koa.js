// Koa: npm install koa @koa/router koa-bodyparser ./signup-gatekeeper-*.tgz
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { createGatekeeper } from 'signup-gatekeeper';
import { judgeSignup } from 'signup-gatekeeper/koa';

const gatekeeper = await createGatekeeper();
const router = new Router();
router.post('/signup', judgeSignup(gatekeeper), bodyParser(), (context) => {
  const { action, requestId } = context.state.gatekeeper;
  context.status = 201;
  context.body = { email: context.request.body.email, mustVerify: action === 'verify', requestId };
});
const app = new Koa().use(router.routes());
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => server.close(() => gatekeeper.close()));
