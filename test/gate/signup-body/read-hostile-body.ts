import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

export interface Sent {
  readonly type: string;
  readonly body: Buffer;
  readonly encodings?: readonly string[];
  readonly target?: string;
  readonly route?: Partial<RouteConfig>;
  /** The work that may be done. */
  readonly units?: number;
}

/** The email, null without an email or a signup, or the status of the refusal. Any other error is thrown. */
export async function read(sent: Sent) {
  const signup = await readWhole(sent);
  return typeof signup === 'number' ? signup : (signup?.email ?? null);
}

/** The signup, null without one, or the status of the refusal. Any other error is thrown. */
export async function readWhole(sent: Sent) {
  const { type, body, encodings = [], target = '/signup', route: changed = {}, units = 20_000_000 } = sent;
  const candidate = {
    route: route('/signup', changed),
    pathVariant: '/signup',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  try {
    const request = {
      target,
      rawHeaders: [],
      contentTypes: [type],
      contentEncodings: encodings,
      budget: createWorkBudget(units),
      bytes: body,
    };
    return await readSignup(request, [candidate]);
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

export const JSON_TYPE = 'application/json';
export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data; boundary=X';
export const GRAPHQL: Partial<RouteConfig> = {
  path: '/graphql',
  when: { operationName: 'SignUp' },
  email: ['variables.input.email'],
};
