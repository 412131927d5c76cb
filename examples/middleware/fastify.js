// Fastify 5: npm install fastify @fastify/formbody ./signup-gatekeeper-*.tgz
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { createGatekeeper } from 'signup-gatekeeper';
import { judgeSignup } from 'signup-gatekeeper/fastify';

const gatekeeper = await createGatekeeper();
const app = Fastify();
await app.register(formbody);
app.addHook('onClose', () => gatekeeper.close());
app.post('/signup', { preHandler: judgeSignup(gatekeeper) }, (request, reply) => {
  const { action, requestId } = request.gatekeeper;
  reply.code(201).send({ email: request.body.email, mustVerify: action === 'verify', requestId });
});
console.log(
  `Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })}`,
);
process.once('SIGTERM', () => app.close());
