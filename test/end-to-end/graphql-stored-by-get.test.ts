import { hash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { GRAPHQL_APPS } from '../helpers/upstreams/graphql-apps.ts';
import { openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { EVIL, GOOD } from './graphql-operations.ts';

/** A server stores every operation of the document, while the query runs, which a GET may do. */
const storeAndRun = (signUp: string) => `query Harmless { __typename } ${signUp}`;
const HIDING = storeAndRun('mutation B($x: SignUpInput) { signUp(input: $x) { email } }');
const PLAIN = storeAndRun('mutation B($input: SignUpInput) { signUp(input: $input) { email } }');

const extensionsOf = (query: string) => ({
  persistedQuery: { version: 1, sha256Hash: hash('sha256', query) },
});

async function proveStores(t: ExecutionContext, app: UpstreamApp): Promise<void> {
  const port = await openUpstreamApp(t, app);
  const gate = await openGateServer(t, {
    upstreamUrl: `http://127.0.0.1:${port}`,
    routes: [route('/graphql', { when: { operationName: 'signUp' }, email: ['variables.input.email'] })],
  });
  const store = (query: string) =>
    fetch(
      `${gate.url}/graphql?${new URLSearchParams({
        query,
        operationName: 'Harmless',
        extensions: JSON.stringify(extensionsOf(query)),
      })}`,
    );
  const run = async (query: string, variables: object) => {
    const response = await fetch(`${gate.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ operationName: 'B', extensions: extensionsOf(query), variables }),
    });
    await response.text();
    const facts = response.headers.get('x-app');
    return facts === null ? null : (JSON.parse(decodeURIComponent(facts)) as { emails: unknown[] }).emails;
  };
  t.is((await store(HIDING)).status, 400);
  t.is(await run(HIDING, { x: { email: EVIL } }), null);
  t.is((await store(PLAIN)).status, 200);
  t.deepEqual(await run(PLAIN, { input: { email: GOOD } }), [GOOD]);
  t.is(gate.judged.length, 1);
}

for (const app of GRAPHQL_APPS.filter(({ name }) => name.startsWith('Apollo')))
  test(`${app.name} stores by GET no document that hides the email of a later signup`, proveStores, app);
