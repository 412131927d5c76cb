// graphql-js over node:http as people write it: any method, any type, stored documents by any name, and the query of the
// target before or behind the body. Which: the first argument.
import { createServer } from 'node:http';
import { graphql } from 'graphql';
import { contextOf, listen, schema, storedDocument } from './schema.js';

const [first] = process.argv.slice(2);

function readBody(text, type) {
  if (/^application\/graphql\b(?![+-])/.test(type)) return { query: text };
  try {
    return JSON.parse(text);
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

async function run(body, target, context) {
  const parameters = first === 'target' ? { ...body, ...target } : { ...target, ...body };
  const { query, variables, operationName } = parameters;
  return graphql({
    schema,
    source: storedDocument(parameters) ?? query,
    variableValues: typeof variables === 'string' ? JSON.parse(variables) : variables,
    operationName,
    contextValue: context,
  });
}

listen(
  createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const body = readBody(Buffer.concat(chunks).toString(), request.headers['content-type'] ?? '');
      const target = Object.fromEntries(new URL(request.url, 'http://localhost').searchParams);
      const context = contextOf(request, request.headers, (name, value) => response.setHeader(name, value));
      const results = [];
      for (const one of [body].flat()) results.push(await run(one, target, context));
      response.end(JSON.stringify(Array.isArray(body) ? results : results[0]));
    } catch {
      response.writeHead(400).end('no');
    }
  }),
);
