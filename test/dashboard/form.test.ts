import test from 'ava';
import { readFields } from '../../src/dashboard/form.ts';

test('only text is a value of a field', (t) => {
  const form = readFields({ name: ' ci ', nested: { plan: 'unlimited' }, many: ['a', { b: 1 }, 'c'] });
  t.is(form.text('name'), 'ci');
  t.is(form.raw('name'), ' ci ');
  t.is(form.text('nested'), '');
  t.is(form.text('many'), '');
  t.true(form.has('nested'));
  t.false(form.has('missing'));
});

test('names of object members are not fields', (t) => {
  for (const body of [{}, null, undefined, 'text', JSON.parse('{"__proto__": {"plan": "unlimited"}}')]) {
    const form = readFields(body);
    t.is(form.text('plan'), '');
    t.is(form.text('constructor'), '');
    t.false(form.has('toString'));
  }
});
