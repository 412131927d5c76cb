import test from 'ava';
import { GOOD, input, read, SIGN_UP } from './read-operation.ts';

const EVIL = 'c@d.co';
const REGISTER = 'mutation ($email: String) { register(email: $email) { id } }';
const good = { query: SIGN_UP, variables: { input } };
const decoy = { query: '{ __typename }' };
const others = [['register', 'variables.email']] as const;
test('a batch with a signup of each of two routes is refused, and one of either route is judged', async (t) => {
  const register = { query: REGISTER, variables: { email: EVIL } };
  for (const batch of [
    [good, register],
    [register, good],
    [register, decoy, good],
  ])
    t.is(await read(batch, { others }), 400);
  t.is(await read([decoy, register], { others }), EVIL);
  t.is(await read([good, decoy], { others }), GOOD);
  t.is(await read([decoy, decoy], { others }), 'unjudged');
  t.is(
    await read([good, { extensions: { persistedQuery: { sha256Hash: 'x' } }, variables: { email: EVIL } }], {
      others,
    }),
    400,
  );
});
