import type { Config } from '../../config/config.ts';
import type { Form } from '../form.ts';

/**
 * Number fields: section and name under `scoring` in the configuration. A hyphen joins them, since the form parser
 * splits names at dots.
 */
const NUMBERS = [
  ...['weights-email', 'weights-ip_address', 'weights-velocity', 'weights-user_agent'],
  ...['levels-low', 'levels-medium'],
  ...['caps-one_high_factor', 'caps-two_high_factors', 'caps-decisive'],
];
const OTHERS = ['points', 'decisive', 'allow', 'deny', 'days', 'scope', 'account', 'share'];
const DEFAULT_DAYS = 7;
/** The share of legitimate people, in percent. */
const DEFAULT_SHARE = 0.5;

/** The values of the fields as typed, by field name; shown again after each simulation. */
export type SimulatorForm = Readonly<Record<string, string>>;

/** The form with the current policy. */
export function currentForm({ scoring }: Config): SimulatorForm {
  const { weights, levels, caps, points, decisive } = scoring;
  const numbers = Object.entries({ weights, levels, caps }).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => [`${section}-${name}`, String(value)]),
  );
  return {
    ...Object.fromEntries(numbers),
    points: Object.entries(points)
      .map(([code, taken]) => `${code}: ${taken}`)
      .join('\n'),
    decisive: decisive.join('\n'),
    days: String(DEFAULT_DAYS),
    share: String(DEFAULT_SHARE),
  };
}

export function postedForm(form: Form): SimulatorForm {
  return Object.fromEntries([...NUMBERS, ...OTHERS].map((name) => [name, form.text(name)]));
}

/** The lines of a field without empty lines. */
export function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The values in the form of the configuration: `{weights: {email: 40, …}, …}`. */
export function numbersOf(
  form: SimulatorForm,
): Readonly<Record<string, Readonly<Record<string, number | string>>>> {
  const sections: Record<string, Record<string, number | string>> = {};
  for (const place of NUMBERS) {
    const [section = '', name = ''] = place.split('-');
    const text = form[place] ?? '';
    // Other text stays as it is, so that the error can quote it.
    sections[section] = { ...sections[section], [name]: /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text };
  }
  return sections;
}
