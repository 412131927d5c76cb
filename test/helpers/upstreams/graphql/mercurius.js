// Mercurius on Fastify with batches and stored documents (`persisted: true` with the hash in place of the query).
import fastify from 'fastify';
import mercurius from 'mercurius';
import { contextOf, STORED, schema, storedDocument } from './schema.js';

const app = fastify();
app.register(mercurius, {
  schema,
  allowBatchedQueries: true,
  context: (request, reply) =>
    contextOf(request.raw, request.headers, (name, value) => reply.header(name, value)),
  persistedQueryProvider: {
    isPersistedQuery: (parameters) => storedDocument(parameters) !== undefined,
    getHash: (parameters) => [...STORED].find(([, text]) => text === storedDocument(parameters))?.[0],
    getQueryFromHash: async (hash) => STORED.get(hash),
  },
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`port ${app.server.address().port}\n`);
