import { REASONS } from '../../assessment/reasons.ts';
import type { Config, ScoringConfig } from '../../config/config.ts';
import { formatYaml } from '../../config/format-yaml.ts';
import type { Proposal } from './proposal.ts';

/**
 * The YAML to paste into the configuration file: only the values that differ from the current policy. Empty when there
 * is no difference.
 */
export function proposalAsYaml({ scoring, typedLists }: Proposal, current: Config): string {
  const changed: Record<string, unknown> = {};
  for (const section of ['weights', 'levels', 'caps'] as const) {
    const different = Object.entries(scoring[section]).filter(
      ([name, value]) => current.scoring[section][name as never] !== value,
    );
    if (different.length > 0) changed[section] = Object.fromEntries(different);
  }
  if (!isSameSet(scoring.decisive, current.scoring.decisive)) changed.decisive = scoring.decisive;
  const points = changedPoints(scoring.points, current.scoring.points);
  if (Object.keys(points).length > 0) changed.points = points;
  const lists: Record<string, unknown> = {};
  for (const list of ['allow', 'deny'] as const) {
    const all = [...new Set([...current.lists[list], ...typedLists[list]])];
    if (all.length > current.lists[list].length) lists[list] = all;
  }
  const document = {
    ...(Object.keys(changed).length > 0 && { scoring: changed }),
    ...(Object.keys(lists).length > 0 && { lists }),
  };
  return Object.keys(document).length > 0 ? formatYaml(document) : '';
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((code) => other.includes(code));
}

/** A removed override is written with the default points, since other lines of the file stay as they are. */
function changedPoints(
  points: ScoringConfig['points'],
  current: ScoringConfig['points'],
): Readonly<Record<string, number>> {
  const codes = [...new Set([...Object.keys(points), ...Object.keys(current)])];
  return Object.fromEntries(
    codes
      .filter((code) => points[code] !== current[code])
      .map((code) => [code, points[code] ?? cataloguePoints(code)]),
  );
}

function cataloguePoints(code: string): number {
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : null;
  return reason?.kind === 'finding' ? reason.points : 0;
}
