import test from 'ava';
import { certificateRemedy } from '../../../src/cli/doctor/finding.ts';

test('the remedy for a certificate depends on what is wrong with it', (t) => {
  t.is(certificateRemedy('CERT_HAS_EXPIRED', 'proxy.upstream'), 'renew its certificate');
  for (const code of [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])
    t.regex(certificateRemedy(code, 'proxy.upstream') ?? '', /in proxy\.upstream; .* NODE_EXTRA_CA_CERTS/);
  t.is(certificateRemedy('ECONNREFUSED', 'proxy.upstream'), null);
});
