// Apollo Server with batches and automatic persisted queries. Which: the first argument.
import { contextOf, schema } from './schema.js';

const [name] = process.argv.slice(2);
const { ApolloServer } = await import(name);
const { startStandaloneServer } = await import(`${name}/standalone`);
const server = new ApolloServer({
  schema,
  allowBatchedHttpRequests: true,
  csrfPrevention: false,
  introspection: true,
});
const { url } = await startStandaloneServer(server, {
  listen: { port: 0, host: '127.0.0.1' },
  context: async ({ req, res }) => contextOf(req, req.headers, (key, value) => res.setHeader(key, value)),
});
process.stdout.write(`port ${new URL(url).port}\n`);
