import test from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import type { Examinations } from '../../../src/assessment/score.ts';
import { readExaminations } from '../../../src/storage/decisions/read-examinations.ts';
import { examination, examinations } from '../../helpers/examinations.ts';

const network = (evidence: string | null): Examination => ({ ...examination('business_ip'), evidence });
const asnOf = (evidence: string) =>
  readExaminations(examinations({ ip_address: network(evidence) })).ip_address?.fields?.asn;

for (const [evidence, asn] of [
  ['AS24940 Hetzner Online GmbH, DE', 24940],
  ['AS24940, DE', 24940],
  ['AS24940', 24940],
  ['Example, DE', undefined],
  ['DE', undefined],
  ['AS24940x', undefined],
  ['test key', undefined],
] as const) {
  test(`a network stored as the sentence "${evidence}" has the number ${asn}`, (t) => {
    t.is(asnOf(evidence), asn);
  });
}

test('a mail server that was stored as a sentence alone becomes a field', (t) => {
  const stored = examinations({
    email: examination(
      'corporate_email',
      { code: 'disposable_mail_exchange', evidence: 'burner.example' },
      { code: 'subaddressed_email', evidence: 'tag' },
    ),
  });
  t.deepEqual(readExaminations(stored).email?.findings, [
    {
      code: 'disposable_mail_exchange',
      evidence: 'burner.example',
      fields: { mail_server: 'burner.example' },
    },
    { code: 'subaddressed_email', evidence: 'tag' },
  ]);
});

test('evidence with fields, or without a sentence, is read back unchanged', (t) => {
  const stored = examinations({
    email: examination('corporate_email', {
      ...{ code: 'disposable_mail_exchange', evidence: 'second email: burner.example' },
      fields: { mail_server: 'burner.example' },
    }),
    ip_address: { ...network('AS64500 Example'), fields: { asn: 64500 } },
  });
  t.is(readExaminations(stored), stored);
  const bare = examinations({ email: null, ip_address: null });
  t.is(readExaminations(bare), bare);
  const partial = {} as Examinations;
  t.is(readExaminations(partial), partial);
  const unknown = examinations({ ip_address: network(null) });
  t.is(readExaminations(unknown), unknown);
});
