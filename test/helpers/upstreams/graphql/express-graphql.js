// express-graphql: JSON, forms and bare documents; what stands in the query of the target comes first.

import { graphqlHTTP } from 'express-graphql';
import express from 'express4';
import { contextOf, schema } from './schema.js';

const app = express();
app.use(
  '/graphql',
  graphqlHTTP((request, response) => ({
    schema,
    // Its own form of an error needs an older graphql-js.
    customFormatErrorFn: ({ message }) => ({ message }),
    context: contextOf(request, request.headers, (name, value) => response.setHeader(name, value)),
  })),
);
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
