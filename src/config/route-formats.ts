import { adviseFormPage, adviseRoutePath } from './advise-text.ts';
import { ANY_PAGE, routePathProblem } from './route-path.ts';

/** The formats for the paths of a route. */
export const ROUTE_FORMATS = {
  'route-path': {
    expected: 'a path such as /signup, /users/:id, /api/*/signup or /join/**',
    accepts: (text: string) => routePathProblem(text) === null,
    advise: adviseRoutePath,
  },
  'form-page': {
    expected: 'the path of a page such as /signup or /join/:plan, or any',
    accepts: (text: string) => text === ANY_PAGE || routePathProblem(text) === null,
    advise: adviseFormPage,
  },
} as const;
