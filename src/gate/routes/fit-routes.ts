import { ProblemError } from '../../http/problem.ts';
import { holdsInHead } from '../signup-body/conditions.ts';
import { type QueryPairs, readQuery } from '../signup-body/request-query.ts';
import type { WorkBudget } from '../work-budget.ts';
import { type BodyCondition, conditionFor } from './body-condition.ts';
import { isAscii, isFoldable } from './fold-path.ts';
import type { HeadFields } from './head-fields.ts';
import { methodsInQuery } from './query-paths.ts';
import type { CompiledRoute } from './route-table.ts';

export interface FittedHead {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly fields: HeadFields;
  readonly query: string;
  readonly budget: WorkBudget;
}

/** Comparing the name of one pair with one condition, in units of the budget. */
const COST_PER_PAIR = 2_000;
const COST_PER_CHARACTER = 50;
/** A character beyond ASCII, which may become 18. */
const COST_OF_FOLDING = 300;

/** Everything but the path by which the head of a request decides whether it may be one of a route. */
export class RouteFit {
  readonly #head: FittedHead;
  #methodsInQuery: ReadonlySet<string> | null = null;

  constructor(head: FittedHead) {
    this.#head = head;
  }

  /** What the body has to hold; null where the method or a header rules the route out. Throws over budget. */
  bodyCondition(entry: CompiledRoute): BodyCondition | null {
    if (entry.looksAt.header && !this.#fulfils(entry, 'header', [])) return null;
    return conditionFor(entry.route, entry.methods, this);
  }

  /** The same, and where the budget does not last to say, `none`. */
  likelyCondition(entry: CompiledRoute): BodyCondition | null {
    try {
      return this.bodyCondition(entry);
    } catch (error) {
      if (error instanceof ProblemError) return 'none';
      throw error;
    }
  }

  /** Whether the conditions on the query hold. Throws over budget. */
  fulfilsQuery(entry: CompiledRoute): boolean {
    if (!entry.looksAt.query) return true;
    const { query, target, budget } = this.#head;
    budget.spend(query.length * COST_PER_CHARACTER);
    const pairs = readQuery(target);
    budget.spend(pairs.length * COST_PER_PAIR);
    for (const text of pairs.flat()) {
      if (isAscii(text)) continue;
      // Names and values are folded, which takes too long for what nobody writes.
      budget.spend(isFoldable(text) ? text.length * COST_OF_FOLDING : Number.POSITIVE_INFINITY);
    }
    return this.#fulfils(entry, 'query', pairs);
  }

  get method(): string {
    return this.#head.method;
  }

  get fields(): HeadFields {
    return this.#head.fields;
  }

  get methodsInQuery(): ReadonlySet<string> {
    this.#methodsInQuery ??= methodsInQuery(this.#head.query, this.#head.budget);
    return this.#methodsInQuery;
  }

  #fulfils({ route }: CompiledRoute, place: 'header' | 'query', query: QueryPairs): boolean {
    const { rawHeaders, budget } = this.#head;
    return Object.entries(route.when).every(
      ([name, value]) =>
        !name.toLowerCase().startsWith(`${place}:`) ||
        holdsInHead(name, value, { query, rawHeaders, budget }) === 'yes',
    );
  }
}
