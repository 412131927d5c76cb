import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { requireGatekeeper } from '../../../examples/koa/gatekeeper.js';

const app = new Koa();
const router = new Router();
router.all('/signup', bodyParser(), requireGatekeeper(JSON.parse(process.argv[2])), (ctx) => {
  ctx.body = `welcome ${ctx.request.body?.email} ${ctx.state.gatekeeper.jti}`;
});
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
