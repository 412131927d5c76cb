import type { Simulation } from './simulation-figures.ts';
export function simulationAsHtml(_: Simulation): string {
  return '';
}
