import test from 'ava';
import { relyingPartyOf } from '../../../src/accounts/passkeys/relying-party.ts';

test('passkeys belong to the host name of the public URL, over https or on localhost', (t) => {
  for (const [url, id] of [
    ['https://gatekeeper.example', 'gatekeeper.example'],
    ['https://gatekeeper.example:8443', 'gatekeeper.example'],
    ['http://localhost:8081', 'localhost'],
    ['http://127.0.0.1:8081', null],
    ['https://[::1]:8081', null],
    ['http://gatekeeper.example', null],
  ] as const) {
    t.is(relyingPartyOf(url)?.id ?? null, id, url);
  }
  t.is(relyingPartyOf('https://gatekeeper.example:8443')?.origin, 'https://gatekeeper.example:8443');
});
