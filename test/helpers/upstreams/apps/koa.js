// Koa with @koa/router and koa-bodyparser.
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { report } from './report.js';

const app = new Koa();
const router = new Router();

function signUp(context) {
  context.status = 201;
  context.set('X-App', report(context.request.headers, context.request.body?.email));
  context.body = 'welcome';
}

app.silent = true;
router.post('/signup', bodyParser(), signUp);
router.post('/join', bodyParser({ detectJSON: () => true }), signUp);
router.put('/account', bodyParser(), signUp);
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
