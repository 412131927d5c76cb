// app.post('/signup', { preParsing: requireGatekeeper({ generated: process.env.GATEKEEPER_ASSERTION_SECRET }) }, signUp);
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { jwtVerify } from 'jose';

export const requireGatekeeper = (keys) => async (request, reply, payload) => {
  const bytes = Buffer.concat(await payload.toArray());
  const body = createHash('sha256').update(bytes).digest('hex');
  const keyOf = ({ kid }) => Buffer.from(new Map(Object.entries(keys)).get(kid));
  const rules = { algorithms: ['HS256'], issuer: 'gatekeeper', requiredClaims: ['exp'] };
  const claims = await jwtVerify(request.headers['x-gatekeeper-assertion'] ?? '', keyOf, rules).then(
    (verified) => verified.payload,
    () => null,
  );
  const arrived = [request.method, request.raw.url, body].join(' ');
  const isJudged = claims && [claims.method, claims.path, claims.body_sha256].join(' ') === arrived;
  if (!isJudged || claims.action === 'block') return reply.code(403).send();
  request.gatekeeper = claims;
  return Object.assign(Readable.from(bytes), { receivedEncodedLength: bytes.length });
};
