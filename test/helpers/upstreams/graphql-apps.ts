import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonWith, type UpstreamApp } from './open-upstream.ts';

const APPS = fileURLToPath(new URL('./graphql/', import.meta.url));

/**
 * GraphQL servers with the mutations `signUp(input: {email})` and `register(email)`, set up as their guides have it, with
 * batches, stored documents and uploads where they offer them. Each answers with the emails that it stored in `X-App`.
 */
export const GRAPHQL_APPS: readonly UpstreamApp[] = [
  nodeApp('graphql-js, body first', 'handwritten.js', 'body'),
  nodeApp('graphql-js, target first', 'handwritten.js', 'target'),
  nodeApp('graphql-http', 'graphql-http.js'),
  nodeApp('express-graphql', 'express-graphql.js'),
  nodeApp('Apollo Server 4', 'apollo.js', 'apollo-server-4'),
  nodeApp('Apollo Server 5', 'apollo.js', '@apollo/server'),
  nodeApp('GraphQL Yoga', 'yoga.js'),
  nodeApp('Mercurius', 'mercurius.js'),
  {
    name: 'Graphene',
    isInstalled: () => pythonWith('graphene') !== null,
    command() {
      const python = pythonWith('graphene');
      return python === null ? null : [python, join(APPS, 'graphene_app.py')];
    },
  },
];

function nodeApp(name: string, file: string, ...args: readonly string[]): UpstreamApp {
  return { name, isInstalled: () => true, command: () => [process.execPath, join(APPS, file), ...args] };
}
