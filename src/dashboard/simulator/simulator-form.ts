import type { Config } from '../../config/config.ts';
import type { Form } from '../form.ts';

/** Numbers of the form: section and name under `scoring` in the configuration. Dots are taken apart by the form parser. */
const NUMBERS = [
  ...['weights-email', 'weights-ip_address', 'weights-velocity', 'weights-user_agent'],
  ...['levels-low', 'levels-medium'],
  ...['caps-one_high_factor', 'caps-two_high_factors', 'caps-decisive'],
];
const OTHERS = ['points', 'decisive', 'allow', 'deny', 'days', 'scope', 'account'];
const DEFAULT_DAYS = 7;

/** What stands in the fields, as typed, by their names: shown again whatever comes of it. */
export type SimulatorForm = Readonly<Record<string, string>>;

/** The form as it is first shown: the policy of now. */
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
  };
}

export function postedForm(form: Form): SimulatorForm {
  return Object.fromEntries([...NUMBERS, ...OTHERS].map((name) => [name, form.text(name)]));
}

/** The lines of a field, without those that are empty. */
export function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** As the configuration has them: `{weights: {email: 40, …}, …}`. */
export function numbersOf(
  form: SimulatorForm,
): Readonly<Record<string, Readonly<Record<string, number | string>>>> {
  const sections: Record<string, Record<string, number | string>> = {};
  for (const place of NUMBERS) {
    const [section = '', name = ''] = place.split('-');
    const text = form[place] ?? '';
    // What is no number stays as it is, so that the mistake can quote it.
    sections[section] = { ...sections[section], [name]: /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text };
  }
  return sections;
}
