import test from 'ava';
import { translateConnectError } from '../../../src/storage/engine/postgres-errors.ts';
import { StorageAwayError, StorageError } from '../../../src/storage/storage-error.ts';

const translated = (message: string, code?: string) =>
  translateConnectError(Object.assign(new Error(message), { code }), 'postgres://h/records') as StorageError;

test('a password that the URL lacks is a refusal, and no outage', (t) => {
  const error = translated('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  t.true(error instanceof StorageError && !(error instanceof StorageAwayError));
  t.regex(error.message, /refuses this user .*password/);
});

for (const code of [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]) {
  test(`${code}: the message says how to trust the certificate, and a running node counts the database as away`, (t) => {
    const error = translated('the reason of Node', code);
    t.true(error instanceof StorageAwayError);
    t.regex(error.message, /certificate .*\(the reason of Node\): add sslrootcert=/);
  });
}

test('a certificate that begins later is an outage: the clock may be wrong', (t) => {
  t.regex(translated('not yet', 'CERT_NOT_YET_VALID').message, /does not answer/);
});
