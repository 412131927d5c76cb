import { createWorkBudget } from '../../../../src/gate/budgets.ts';
import { readSignup } from '../../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../../src/http/problem.ts';
import { route } from '../../../helpers/routes.ts';

export const GOOD = 'a@b.co';
export const input = { email: GOOD };
export const NESTED = ['variables.input.email'];
export const SIGN_UP = 'mutation ($input: I) { signUp(input: $input) { id } }';

interface Sent {
  readonly email?: readonly string[];
  readonly target?: string;
  readonly type?: string | null;
}

/** The judged email, `null` without one, `unjudged`, or the status of the refusal. */
export async function read(
  body: unknown,
  { email = NESTED, target = '/graphql', type = 'application/json' }: Sent = {},
) {
  const request = {
    target,
    rawHeaders: [],
    budget: createWorkBudget(100_000_000),
    contentTypes: type === null ? [] : [type],
    contentEncodings: [],
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
  const signUp = route('/graphql', { when: { operationName: 'signUp' }, email });
  const candidate = {
    route: signUp,
    pathVariant: '/graphql',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup ? signup.email : 'unjudged';
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}
