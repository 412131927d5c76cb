import test from 'ava';
import { EVIDENCE_FIELDS, type EvidenceField, FIELDS_OF } from '../../src/assessment/evidence-fields.ts';

test('a field is named in lower snake case, and described by a sentence', (t) => {
  for (const [name, { description }] of Object.entries<EvidenceField>(EVIDENCE_FIELDS)) {
    t.regex(name, /^[a-z]+(?:_[a-z]+)*$/);
    t.regex(description, /^[A-Z].*\.$/, name);
  }
});

test('every field belongs to a reason, and no reason lists a field twice', (t) => {
  const named = Object.values(FIELDS_OF).flat();
  t.deepEqual(
    Object.keys(EVIDENCE_FIELDS).filter((name) => !named.some((known) => known === name)),
    [],
  );
  for (const [code, names] of Object.entries(FIELDS_OF)) t.is(new Set(names).size, names.length, code);
});
