import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

export interface Sent {
  readonly type?: string | readonly string[];
  readonly encoding?: string | readonly string[];
  readonly target?: string;
  readonly route?: Partial<RouteConfig>;
}

/** The email and others beside it, null without a signup, or the status of the refusal. Any other error is thrown. */
export async function read(
  body: string | Buffer,
  { type = 'application/json', encoding = [], target = '/signup', route: changed = {} }: Sent = {},
) {
  const candidate = {
    route: route('/signup', changed),
    pathVariant: '/signup',
    source: 'the target',
    bodyCondition: 'none' as const,
  };
  const request = {
    target,
    rawHeaders: [],
    contentTypes: [type].flat(),
    contentEncodings: [encoding].flat(),
    budget: createWorkBudget(20_000_000),
    bytes: Buffer.isBuffer(body) ? body : Buffer.from(body),
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup
      ? { email: signup.email, ...(signup.otherEmails.length > 0 && { others: signup.otherEmails }) }
      : null;
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data; boundary=X';
export const part = (name: string, value: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What is read, and what comes of it. */
export type Case = readonly [what: string, body: string | Buffer, sent: Sent, expected: unknown];
