import formbody from '@fastify/formbody';
import createFastify from 'fastify';
import { requireGatekeeper } from '../../../examples/fastify/gatekeeper.js';

const app = createFastify();
await app.register(formbody);
app.route({
  method: ['POST', 'PUT'],
  url: '/signup',
  preParsing: requireGatekeeper(JSON.parse(process.argv[2])),
  handler: async (request) => `welcome ${request.body?.email} ${request.gatekeeper.jti}`,
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`port ${app.server.address().port}\n`);
