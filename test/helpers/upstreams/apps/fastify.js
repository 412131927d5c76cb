// Fastify with forms and multipart, and a router as lenient as it can be.
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { report } from './report.js';

const app = Fastify({
  routerOptions: {
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    useSemicolonDelimiter: true,
  },
});

function signUp(request, reply) {
  return reply.code(201).header('X-App', report(request.headers, request.body?.email)).send('welcome');
}

await app.register(formbody);
await app.register(multipart, { attachFieldsToBody: 'keyValues' });
app.post('/signup', signUp);
app.put('/account', signUp);
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request, text) => JSON.parse(text));
  scope.post('/join', signUp);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`port ${app.server.address().port}\n`);
