// Scoring signups the way the documentation of fastify shows it: a schema for the body, one for the answer, a hook.
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { openJudging } from './judging.js';

const { keys, score } = await openJudging();
const fastify = Fastify({ logger: false, bodyLimit: 16_384 });

const body = {
  type: 'object',
  properties: {
    email: { type: 'string', maxLength: 254 },
    ip_address: { type: 'string', maxLength: 64 },
    user_agent: { type: ['string', 'null'], maxLength: 2048 },
  },
  required: ['email', 'ip_address'],
};
const answer = {
  type: 'object',
  properties: {
    trust_score: { type: 'integer' },
    risk_level: { type: 'string' },
    reasons: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          factor: { type: 'string' },
          score: { type: 'integer' },
          reason_code: { type: 'string' },
          description: { type: 'string' },
          risk_level: { type: 'string' },
        },
      },
    },
    request_id: { type: 'string' },
    processed_at: { type: 'string' },
  },
};

fastify.decorateRequest('account', null);
fastify.addHook('onRequest', async (request, reply) => {
  const key = request.headers['x-api-key'] ?? '';
  const account = keys.get(createHash('sha256').update(key).digest('hex'));
  if (account === undefined) return reply.code(401).send({ error: 'invalid API key' });
  request.account = account;
});

fastify.post('/score-signup', { schema: { body, response: { 200: answer } } }, async (request, reply) => {
  const scored = await score(request.body, request.account);
  if (scored === null) return reply.code(400).send({ error: 'invalid request' });
  reply.header('Cache-Control', 'no-store');
  return scored;
});

console.log(`listens on ${await fastify.listen({ host: '127.0.0.1', port: 0 })}`);
