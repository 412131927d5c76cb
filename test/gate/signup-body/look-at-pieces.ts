import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { FirstLook } from '../../../src/gate/signup-body/first-look.ts';
import { route } from '../../helpers/routes.ts';

const REGISTER = route('/index.php', { when: { action: 'register' } });

interface Arrival {
  readonly type: string;
  /** In bytes. */
  readonly pieceSize?: number;
}

/** Whether a body may be a signup with `action=register`, when it arrives in pieces of this size. */
export function mayBeSignup(body: string, { type, pieceSize = 1_000_000 }: Arrival): boolean {
  const budget = createWorkBudget(50_000_000);
  const candidate = {
    route: REGISTER,
    pathVariant: '/index.php',
    source: 'the target',
    bodyCondition: 'none',
  } as const;
  const look = new FirstLook([candidate], { query: [], rawHeaders: [], budget, contentTypes: [type] });
  const bytes = Buffer.from(body);
  for (let i = 0; i < bytes.length; i += pieceSize) look.write(bytes.subarray(i, i + pieceSize));
  return look.mayBeSignup;
}
