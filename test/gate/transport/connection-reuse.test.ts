import { testConnectionReuse } from './connection-reuse.contract.ts';

testConnectionReuse(2, 4);
