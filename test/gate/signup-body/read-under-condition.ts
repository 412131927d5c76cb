import type { RouteConfig } from '../../../src/config/config.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import type { BodyCondition } from '../../../src/gate/routes/route-table.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { route } from '../../helpers/routes.ts';

export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const MULTIPART = 'multipart/form-data; boundary=X';
const REGISTER = route('/index.php', { when: { action: 'register' } });

export interface Sent {
  readonly type?: string;
  readonly target?: string;
  readonly encodings?: readonly string[];
  readonly route?: RouteConfig;
  readonly bodyCondition?: BodyCondition;
  readonly source?: string;
  readonly rawHeaders?: readonly string[];
}

export async function read(body: string | Buffer, sent: Sent = {}) {
  const request = {
    target: sent.target ?? '/index.php',
    rawHeaders: sent.rawHeaders ?? [],
    contentTypes: sent.type === undefined ? [] : [sent.type],
    contentEncodings: sent.encodings ?? [],
    budget: createWorkBudget(20_000_000),
    bytes: Buffer.from(body as string),
  };
  const candidate = {
    route: sent.route ?? REGISTER,
    pathVariant: '/index.php',
    source: sent.source ?? 'the target',
    bodyCondition: sent.bodyCondition ?? ('none' as const),
  };
  try {
    const signup = await readSignup(request, [candidate]);
    return signup === null ? 'passes' : (signup.email ?? 'no email');
  } catch (error) {
    if (error instanceof ProblemError) return error.status;
    throw error;
  }
}

export function part(disposition: string, value: string, more = ''): string {
  return `--X\r\nContent-Disposition: form-data; ${disposition}${more}\r\n\r\n${value}\r\n--X--\r\n`;
}
