// router.post('/signup', bodyParser(), requireGatekeeper({ generated: process.env.GATEKEEPER_ASSERTION_SECRET }), signUp);
import { createHash } from 'node:crypto';
import { jwtVerify } from 'jose';

// koa-bodyparser and @koa/bodyparser keep the body as it came in `ctx.request.rawBody`.
export const requireGatekeeper = (keys) => async (ctx, next) => {
  const body = createHash('sha256')
    .update(ctx.request.rawBody ?? '')
    .digest('hex');
  const arrived = [ctx.method, ctx.originalUrl, body].join(' ');
  const keyOf = ({ kid }) => Buffer.from(new Map(Object.entries(keys)).get(kid));
  const rules = { algorithms: ['HS256'], issuer: 'gatekeeper', requiredClaims: ['exp'] };
  const claims = await jwtVerify(ctx.get('X-Gatekeeper-Assertion'), keyOf, rules).then(
    ({ payload }) => payload,
    () => null,
  );
  const isJudged = claims && [claims.method, claims.path, claims.body_sha256].join(' ') === arrived;
  if (!isJudged || claims.action === 'block') ctx.throw(403);
  ctx.state.gatekeeper = claims;
  await next();
};
