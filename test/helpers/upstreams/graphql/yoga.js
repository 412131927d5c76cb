// GraphQL Yoga with batches, uploads, and documents that it stores beside whatever comes.
import { createServer } from 'node:http';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { createYoga } from 'graphql-yoga';
import { contextOf, listen, STORED, schema, storedDocument } from './schema.js';

const idOf = (document) => [...STORED].find(([, text]) => text === document)?.[0] ?? null;
const yoga = createYoga({
  schema,
  batching: true,
  graphqlEndpoint: '/graphql',
  logging: false,
  maskedErrors: false,
  context: ({ req, res }) => contextOf(req, req.headers, (name, value) => res.setHeader(name, value)),
  plugins: [
    usePersistedOperations({
      allowArbitraryOperations: true,
      skipDocumentValidation: true,
      getPersistedOperation: (id) => STORED.get(id) ?? null,
      extractPersistedOperationId: (parameters, request) =>
        idOf(
          storedDocument(parameters ?? {}) ??
            storedDocument(Object.fromEntries(new URL(request.url, 'http://localhost').searchParams)),
        ),
    }),
  ],
});
listen(createServer(yoga));
