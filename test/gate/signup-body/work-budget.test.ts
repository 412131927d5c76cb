import { testWorkBudget } from './work-budget.contract.ts';

testWorkBudget({ sizes: [1_000, 10_000, 100_000], fuzzed: 500 });
