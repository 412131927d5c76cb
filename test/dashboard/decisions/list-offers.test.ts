import test from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import { type Offered, offersOf } from '../../../src/dashboard/decisions/list-offers.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';

function offerOf(what: Offered, ip_address: Examination) {
  const decision = {
    ...decisionWith({ examinations: examinations({ ip_address }) }),
    ...{ outcome: null, label: null, repeats: 0, lastSeenAt: null },
  };
  return offersOf(decision).find((offer) => offer.what === what);
}

test('a known AS number is offered, with the evidence as description', (t) => {
  const located: Examination = {
    ...examination('business_ip'),
    ...{ evidence: 'AS64500 Example Hosting, XK', fields: { asn: 64500, country: 'XK' } },
  };
  t.deepEqual(offerOf('asn', located), {
    what: 'asn',
    words: 'AS64500',
    subject: { text: 'AS64500' },
    reach: 'Matches every client of AS64500 Example Hosting, XK.',
  });
});

test('without an AS number there is no offer for it', (t) => {
  const nameless: Examination = {
    ...examination('business_ip'),
    ...{
      evidence: 'AS64500 is how we call ourselves',
      fields: { organisation: 'AS64500 is how we call ourselves' },
    },
  };
  t.is(offerOf('asn', nameless), undefined);
  t.is(offerOf('asn', examination('private_ip')), undefined);
});
