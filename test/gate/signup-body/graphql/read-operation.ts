import { createWorkBudget } from '../../../../src/gate/budgets.ts';
import type { BodyCondition } from '../../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../../src/http/problem.ts';
import { route } from '../../../helpers/routes.ts';

export const GOOD = 'a@b.co';
export const input = { email: GOOD };
export const NESTED = ['variables.input.email'];
export const SIGN_UP = 'mutation ($input: I) { signUp(input: $input) { id } }';

interface Sent {
  readonly email?: readonly string[];
  /** Further routes with their operations and places of the email. */
  readonly others?: readonly (readonly [operation: string, email: string])[];
  readonly bodyCondition?: BodyCondition;
  readonly target?: string;
  readonly type?: string | null;
}

/** The judged email, `null` without one, `unjudged`, or the status of the refusal. */
export async function read(
  body: unknown,
  {
    email = NESTED,
    others = [],
    bodyCondition = 'none',
    target = '/graphql',
    type = 'application/json',
  }: Sent = {},
) {
  const request = {
    target,
    rawHeaders: [],
    budget: createWorkBudget(100_000_000),
    contentTypes: type === null ? [] : [type],
    contentEncodings: [],
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
  const routes = [
    route('/graphql', { when: { operationName: 'signUp' }, email }),
    ...others.map(([operationName, place]) => route('/graphql', { when: { operationName }, email: [place] })),
  ];
  const candidates = routes.map((one) => ({
    route: one,
    pathVariant: '/graphql',
    source: 'the target',
    bodyCondition,
  }));
  try {
    const signup = await readSignup(request, candidates);
    return signup ? signup.email : 'unjudged';
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}
