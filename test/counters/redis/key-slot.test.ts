import test from 'ava';
import { slotOfTag } from '../../../src/counters/redis/key-slot.ts';

test('slots are those of the cluster specification', (t) => {
  // CRC16 of "123456789" is 0x31C3; the others are what `CLUSTER KEYSLOT` answers.
  const slots: Readonly<Record<string, number>> = { '123456789': 0x31c3, foo: 12_182, bar: 5_061, '': 0 };
  for (const [tag, slot] of Object.entries(slots)) t.is(slotOfTag(tag), slot, tag);
});
