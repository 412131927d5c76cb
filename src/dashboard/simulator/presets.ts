import type { SimulatorForm } from './simulator-form.ts';

export interface Preset {
  readonly name: string;
  readonly label: string;
  readonly values: SimulatorForm;
}

/**
 * Common thresholds as a starting point. One factor at high risk always leads to verification and two to refusal: those
 * caps are one point below the thresholds. `strict` has the levels of the configuration preset of that name, `balanced`
 * the defaults.
 */
export const PRESETS: readonly Preset[] = [
  { name: 'strict', label: 'Strict', values: thresholds(80, 50) },
  { name: 'balanced', label: 'Balanced', values: thresholds(70, 40) },
  { name: 'lenient', label: 'Lenient', values: thresholds(60, 30) },
];

function thresholds(low: number, medium: number): SimulatorForm {
  return {
    'levels-low': String(low),
    'levels-medium': String(medium),
    'caps-one_high_factor': String(low - 1),
    'caps-two_high_factors': String(medium - 1),
  };
}
