import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';

export const signup = compileRoutes([route('/signup')]);
/** What the gate takes a request for. */
export const kindOf = (
  target: string,
  method = 'POST',
  rawHeaders: readonly string[] = [],
  matcher = signup,
) => matcher.match({ method, target, rawHeaders }).kind;
