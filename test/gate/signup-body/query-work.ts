import type { RouteConfig } from '../../../src/config/config.ts';
import { route } from '../../helpers/routes.ts';

/** Each compares every name of a query several times. */
export const MANY_COMPARISONS: Readonly<Record<string, RouteConfig>> = {
  'places and conditions': route('/signup', {
    email: ['email', 'user.email', 'data.user.mail'],
    when: { action: 'register', 'query:step': 2, kind: { exists: true } },
  }),
  GraphQL: route('/graphql', {
    email: ['variables.email', 'variables.input.email'],
    when: { operationName: 'signUp', 'query:client': 'web' },
  }),
};

/** Short names, so that a head holds as many as possible; all but the first have several readings. */
export const SHORT_NAMES = [
  'a',
  "['a",
  '("a',
  '[%22a',
  '%C3%A9',
  '%EF%B7%BA',
  '%00a',
  '%5Ca',
  'a:b',
  '%2541',
  "['%C3%A9%5C",
];

/** A target of nearly 16 KB. The conditions are fulfilled at its end. */
export function targetOf(name: string): string {
  const pair = `${name}=1&`;
  return `/signup?${pair.repeat(15_500 / pair.length)}step=2&client=web`;
}

export const SIGNUP = {
  type: 'application/json',
  bytes: Buffer.from('{"email":"ann@corp.example","action":"register","kind":1}'),
};
