// graphql-http, the reference of the protocol.
import { createServer } from 'node:http';
import { createHandler } from 'graphql-http/lib/use/http';
import { contextOf, listen, schema } from './schema.js';

const handlers = new WeakMap();
const handler = createHandler({ schema, context: ({ raw }) => handlers.get(raw) });
listen(
  createServer((request, response) => {
    const context = contextOf(request, request.headers, (name, value) => response.setHeader(name, value));
    handlers.set(request, context);
    handler(request, response);
  }),
);
