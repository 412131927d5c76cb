// A program that keeps replacing 400,000 objects: each lives so long that only a full garbage collection frees it.
import { allowHeapGrowth } from '../../src/gatekeeper/heap-growth.ts';

if (process.argv[2] === 'allowed') allowHeapGrowth();

const kept = new Array<object>(400_000);
for (let n = 0; n < 6_000_000; n++) kept[n % kept.length] = { n, more: [n] };
