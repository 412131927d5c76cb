// app.use(express.urlencoded({ verify: keepRawBody }));   // and likewise express.json
// app.post('/signup', requireGatekeeper({ generated: process.env.GATEKEEPER_ASSERTION_SECRET }), signUp);
import { createHash } from 'node:crypto';
import { jwtVerify } from 'jose';

export const keepRawBody = (request, _response, bytes) => Object.assign(request, { rawBody: bytes });

export const requireGatekeeper = (keys) => async (request, response, next) => {
  const body = createHash('sha256')
    .update(request.rawBody ?? '')
    .digest('hex');
  const arrived = [request.method, request.originalUrl, body].join(' ');
  const keyOf = ({ kid }) => Buffer.from(new Map(Object.entries(keys)).get(kid));
  const rules = { algorithms: ['HS256'], issuer: 'gatekeeper', requiredClaims: ['exp'] };
  const claims = await jwtVerify(request.get('X-Gatekeeper-Assertion') ?? '', keyOf, rules).then(
    ({ payload }) => payload,
    () => null,
  );
  const isJudged = claims && [claims.method, claims.path, claims.body_sha256].join(' ') === arrived;
  if (!isJudged || claims.action === 'block') return response.sendStatus(403);
  request.gatekeeper = claims;
  next();
};
