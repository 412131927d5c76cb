import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';

export type ModeName = 'normal' | 'monitor' | 'stricter' | 'attack';

/** A configuration that a visitor of the demo can choose. */
export interface Mode {
  readonly label: string;
  readonly effect: string;
  /** The settings that differ from `demo/gatekeeper.yaml`. */
  readonly settings: readonly (readonly [path: readonly (string | number)[], value: string | number])[];
  /** The same as people write it. */
  readonly yaml: string;
}

const ROUTE = ['proxy', 'routes', 0];

export const MODES: Readonly<Record<ModeName, Mode>> = {
  normal: {
    label: 'Normal',
    effect: 'Low risk is let in, medium risk confirms the mailbox, high risk is refused.',
    settings: [],
    yaml: 'mode: enforce',
  },
  monitor: {
    label: 'Monitor',
    effect: 'Judges everything and stops nothing: the dry run before you enforce.',
    settings: [[[...ROUTE, 'mode'], 'monitor']],
    yaml: 'mode: monitor',
  },
  stricter: {
    label: 'Stricter',
    effect: 'The preset for accounts that are worth much to an attacker: more people confirm their mailbox.',
    settings: [[['preset'], 'strict']],
    yaml: 'preset: strict',
  },
  attack: {
    label: 'Under attack',
    effect: 'Every sender confirms the mailbox, and less suspicion is enough for a refusal.',
    settings: [
      [[...ROUTE, 'on_low'], 'verify'],
      [['scoring', 'levels', 'medium'], 60],
    ],
    yaml: 'on_low: verify\nlevels: { medium: 60 }',
  },
};

const TEMPLATE = fileURLToPath(new URL('gatekeeper.yaml', import.meta.url));

/** Writes `demo/gatekeeper.yaml` with the settings of a mode. */
export function writeConfiguration(file: string, mode: ModeName): void {
  const document = parseDocument(readFileSync(TEMPLATE, 'utf8'));
  for (const [path, value] of MODES[mode].settings) document.setIn(path, value);
  // Renamed: Gatekeeper never reads half a file.
  writeFileSync(`${file}.new`, String(document));
  renameSync(`${file}.new`, file);
}
