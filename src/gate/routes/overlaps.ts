import type { ConditionValue, RouteConfig } from '../../config/config.ts';
import { segmentsOf } from './path-pattern.ts';

/**
 * The warnings of `gatekeeper check`: pairs of routes that one request can match, where the order decides, and routes
 * that never match because of an earlier one.
 */
export function findOverlaps(routes: readonly RouteConfig[]): string[] {
  const warnings: string[] = [];
  const folded = routes.map((route) => ({ ...route, segments: segmentsOf(route.path) }));
  for (const [i, later] of folded.entries()) {
    for (const earlier of folded.slice(0, i)) {
      if (!meet(earlier.segments, later.segments)) continue;
      if (!shareMethod(earlier, later) || !canShareBody(earlier, later)) continue;
      if (covers(earlier, later)) {
        warnings.push(
          `route "${later.name}" is never reached: "${earlier.name}" comes before it and matches the same requests`,
        );
      } else {
        warnings.push(
          `routes "${earlier.name}" and "${later.name}" overlap: where both match, "${earlier.name}" decides`,
        );
      }
    }
  }
  return warnings;
}

function shareMethod(a: RouteConfig, b: RouteConfig): boolean {
  return a.methods === null || b.methods === null || a.methods.some((method) => b.methods?.includes(method));
}

/** Two routes whose conditions require different values of one field never match the same body. */
function canShareBody(a: RouteConfig, b: RouteConfig): boolean {
  return Object.entries(a.when).every(
    ([field, value]) =>
      !(field in b.when) || isExists(value) || isExists(b.when[field]) || b.when[field] === value,
  );
}

function isExists(value: ConditionValue | undefined): boolean {
  return typeof value === 'object';
}

interface FoldedRoute extends RouteConfig {
  readonly segments: readonly string[];
}

function covers(earlier: FoldedRoute, later: FoldedRoute): boolean {
  const sameMethods =
    earlier.methods === null ||
    (later.methods?.every((method) => earlier.methods?.includes(method)) ?? false);
  const sameBodies = Object.entries(earlier.when).every(
    ([field, value]) => later.when[field] === value || (isExists(value) && field in later.when),
  );
  return sameMethods && sameBodies && contains(earlier.segments, later.segments);
}

function isOne(segment: string | undefined): boolean {
  return segment === '*' || segment?.startsWith(':') === true;
}

/** Whether every path of the narrow pattern matches the wide pattern. */
function contains(wide: readonly string[], narrow: readonly string[]): boolean {
  const [first, ...rest] = wide;
  const [other, ...others] = narrow;
  if (first === '**') return true;
  if (first === undefined || other === undefined) return first === other;
  if (other === '**' || (first !== other && !isOne(first))) return false;
  return contains(rest, others);
}

/** Whether some path matches both patterns. */
function meet(a: readonly string[], b: readonly string[]): boolean {
  const [first, ...rest] = a;
  const [other, ...others] = b;
  if (first === '**' || other === '**') return true;
  if (first === undefined || other === undefined) return first === other;
  return (first === other || isOne(first) || isOne(other)) && meet(rest, others);
}
