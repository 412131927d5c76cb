import type { Operation } from './graphql-operations.ts';

/** One request, as it goes over the wire. */
export interface GraphqlCase {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly type: string | null;
  readonly body: string;
}

type Members = Readonly<Record<string, unknown>>;
export type Transport = (members: Members) => Omit<GraphqlCase, 'id'>;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=X';

const post = (body: string, type: string | null = JSON_TYPE, search = '') => ({
  method: 'POST',
  target: `/graphql${search}`,
  type,
  body,
});
const form = (members: Members) =>
  new URLSearchParams(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  ).toString();
const part = (name: string, value: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = `--X\r\nContent-Disposition: form-data; name="0"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nbad@burner.example\r\n`;
const upload = (operations: unknown, map: unknown, ...more: string[]) =>
  post(
    `${part('operations', JSON.stringify(operations))}${part('map', JSON.stringify(map))}${more.join('')}${file}--X--\r\n`,
    MULTIPART,
  );
const without = (members: Members, ...names: string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
const DECOY = { query: '{ __typename }' };

/** The ways that servers offer, and that clients use. */
export const ORDINARY_TRANSPORTS: Readonly<Record<string, Transport>> = {
  JSON: (members) => post(JSON.stringify(members)),
  'GraphQL JSON': (members) => post(JSON.stringify(members), 'application/graphql+json'),
  'a batch of one': (members) => post(JSON.stringify([members])),
  'a form': (members) => post(form(members), FORM),
};

/** The same, in ways in which a gate may lose sight of them. */
export const OTHER_TRANSPORTS: Readonly<Record<string, Transport>> = {
  'a batch behind another': (members) => post(JSON.stringify([DECOY, members])),
  'a batch of two': (members) => post(JSON.stringify([members, members])),
  upload: (members) => upload(members, {}),
  'an upload onto the email': (members) => upload(members, { 0: ['variables.input.email'] }),
  'an upload onto the document': (members) => upload(members, { 0: ['query'] }),
  'an upload beside a decoy': (members) => upload(members, {}, part('query', DECOY.query)),
  'an upload of a batch': (members) => upload([members], {}),
  'a form of parts': (members) =>
    post(
      `${Object.entries(members)
        .map(([name, value]) => part(name, typeof value === 'string' ? value : JSON.stringify(value)))
        .join('')}--X--\r\n`,
      MULTIPART,
    ),
  'text that is JSON': (members) => post(JSON.stringify(members), 'text/plain;charset=UTF-8'),
  'JSON without a type': (members) => post(JSON.stringify(members), null),
  'a bare document': ({ query, ...rest }) => post(String(query), 'application/graphql', `?${form(rest)}`),
  'the target alone': (members) => ({
    method: 'GET',
    target: `/graphql?${form(members)}`,
    type: null,
    body: '',
  }),
  'behind a # in the target': (members) => post('{}', JSON_TYPE, `?x=1#&${form(members)}`),
  'the target of a POST': (members) => post('', null, `?${form(members)}`),
  'the target beside {}': (members) => post('{}', JSON_TYPE, `?${form(members)}`),
  'the document in the target': ({ query, ...rest }) =>
    post(JSON.stringify(rest), JSON_TYPE, `?${form({ query })}`),
  'the document in the target, a decoy in the body': ({ query, ...rest }) =>
    post(JSON.stringify({ ...rest, ...DECOY }), JSON_TYPE, `?${form({ query })}`),
  'a decoy in the target': (members) => post(JSON.stringify(members), JSON_TYPE, `?${form(DECOY)}`),
  'a decoy in the target, named like the other': (members) =>
    post(JSON.stringify(members), JSON_TYPE, `?${form({ ...DECOY, operationName: 'LogIn', id: 'x' })}`),
  'variables in the target': (members) =>
    post(
      JSON.stringify(without(members, 'variables')),
      JSON_TYPE,
      `?${form({ variables: members.variables ?? {} })}`,
    ),
  'other variables in the target': (members) =>
    post(
      JSON.stringify(members),
      JSON_TYPE,
      `?${form({ variables: { input: { email: 'bad@burner.example' }, email: 'bad@burner.example' } })}`,
    ),
  'names in the target': (members) =>
    post(
      JSON.stringify({ ...DECOY, variables: members.variables }),
      JSON_TYPE,
      `?${form(without(members, 'variables'))}`,
    ),
  'variables as text': (members) =>
    post(JSON.stringify({ ...members, variables: JSON.stringify(members.variables) })),
  'variables as text twice': (members) =>
    post(JSON.stringify({ ...members, variables: JSON.stringify(JSON.stringify(members.variables)) })),
  'names in capitals': (members) =>
    post(
      JSON.stringify({
        Query: members.query,
        Variables: members.variables,
        operationName: members.operationName,
      }),
    ),
  'a second document': (members) => post(`{"query":"{ __typename }",${JSON.stringify(members).slice(1)}`),
  'a document behind': (members) => post(`${JSON.stringify(members).slice(0, -1)},"query":"{ __typename }"}`),
  'operations beside it': (members) =>
    post(JSON.stringify({ ...DECOY, operations: JSON.stringify(members) })),
  'a form with operations beside it': (members) =>
    post(form({ ...DECOY, operations: JSON.stringify(members) }), FORM),
};

export function casesOf(
  operations: readonly Operation[],
  transports: Readonly<Record<string, Transport>>,
): GraphqlCase[] {
  return operations.flatMap(({ id, members }) =>
    Object.entries(transports).map(([way, send]) => ({ id: `${id} as ${way}`, ...send(members) })),
  );
}
