import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { createLocalJWKSet, decodeProtectedHeader, exportJWK, jwtVerify } from 'jose';
import { createSigner, GENERATED_KEY_ID } from '../../src/gate/gate-headers.ts';

const GENERATED = 'a-secret-that-was-generated-for-this-installation';
const SECRET = 'first secret of the configuration, long enough';
const OTHER_SECRET = 'second secret of the configuration, long enough';
const bytes = (text: string) => new TextEncoder().encode(text);
const claims = { iss: 'gatekeeper', path: '/signup?näme=ü', score: null };

test('without a configured key the generated secret signs', async (t) => {
  const token = createSigner([], GENERATED).sign(claims);
  const { payload, protectedHeader } = await jwtVerify(token, bytes(GENERATED), { algorithms: ['HS256'] });
  t.deepEqual(payload, claims);
  t.deepEqual(protectedHeader, { alg: 'HS256', kid: GENERATED_KEY_ID, typ: 'JWT' });
});

test('claims of any length and script verify, one after another', async (t) => {
  const signer = createSigner([], GENERATED);
  for (const path of [
    '/signup',
    `/${'é'.repeat(1_200)}`,
    `/${'😀'.repeat(2_000)}`,
    `/${'x'.repeat(16_000)}`,
    '/ü',
  ]) {
    const { payload } = await jwtVerify(signer.sign({ ...claims, path }), bytes(GENERATED));
    t.deepEqual(payload, { ...claims, path });
  }
});

test('the first of several keys signs and is named in the token', async (t) => {
  const keys = [
    { id: 'k2', secret: SECRET },
    { id: 'k1', secret: OTHER_SECRET },
  ];
  const signer = createSigner(keys, GENERATED);
  const token = signer.sign(claims);
  t.is(signer.keyId, 'k2');
  t.is(decodeProtectedHeader(token).kid, 'k2');
  await t.notThrowsAsync(jwtVerify(token, bytes(SECRET)));
  await t.throwsAsync(jwtVerify(token, bytes(OTHER_SECRET)), {
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  });
});

test('an app that knows the old and the new key accepts tokens of both during a key change', async (t) => {
  const known = new Map([
    ['k2', bytes(SECRET)],
    ['k1', bytes(OTHER_SECRET)],
  ]);
  const keyOf = ({ kid = '' }) => known.get(kid) ?? new Uint8Array();
  for (const [id, secret] of [
    ['k1', OTHER_SECRET],
    ['k2', SECRET],
  ] as const) {
    await t.notThrowsAsync(jwtVerify(createSigner([{ id, secret }], GENERATED).sign(claims), keyOf));
  }
});

test('an Ed25519 key signs with EdDSA', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const token = createSigner([{ id: 'ed', private_key: pem }], GENERATED).sign(claims);
  const known = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'ed', alg: 'EdDSA' }] });
  const { payload, protectedHeader } = await jwtVerify(token, known, { algorithms: ['EdDSA'] });
  t.deepEqual(payload, claims);
  t.is(protectedHeader.alg, 'EdDSA');
});

test('an invalid private key, or one of another kind, is refused by its name and never quoted', (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  t.throws(() => createSigner([{ id: 'curve', private_key: pem }], GENERATED), {
    message: /"curve" is not an Ed25519 key; make one with openssl/,
  });
  const error = t.throws(
    () =>
      createSigner(
        [{ id: 'broken', private_key: '-----BEGIN PRIVATE KEY-----\nTOPSECRET\n-----END PRIVATE KEY-----' }],
        GENERATED,
      ),
    { message: /"broken" cannot be read as PEM/ },
  );
  t.notRegex(String(error), /TOPSECRET/);
});
