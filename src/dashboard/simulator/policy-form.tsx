import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField, TextAreaField } from '../components/field.tsx';
import { FACTOR_NAMES } from '../decisions/factor-names.ts';
import { PRESETS } from './presets.ts';
import { type FormIssues, MAX_DAYS } from './proposal.ts';
import type { SimulatorForm } from './simulator-form.ts';

interface Props {
  readonly form: SimulatorForm;
  readonly issues: FormIssues;
  readonly routes: readonly string[];
  readonly csrfToken: string;
}

/** The form for a whole policy, filled with the current values. */
export function PolicyForm({ form, issues, routes, csrfToken }: Props) {
  const common = (name: string, label: string, hint?: string) => ({
    name,
    label,
    hint,
    value: form[name] ?? '',
    error: issues.get(name),
  });
  const number = (name: string, label: string, max: number) => (
    <Field {...common(name, label)} type="number" min={0} max={max} step={max > 100 ? 0.01 : 1} required />
  );
  return (
    <div data-live-effect>
      <ActForm action="/simulator" csrfToken={csrfToken}>
        <h2>Past signups</h2>
        <div class="row panel">
          <Field
            {...common('days', 'Days back', `1 to ${MAX_DAYS}`)}
            type="number"
            min={1}
            max={MAX_DAYS}
            required
          />
          <SelectField
            {...common('scope', 'Signups', 'Signups of the API, of the gate, or of one route')}
            options={scopesOf(routes)}
          />
          <Field {...common('account', 'Account', 'The name of the account; empty: all')} maxLength={300} />
        </div>
        <h2>Policy to simulate</h2>
        <p>
          Begin with{' '}
          {PRESETS.map(({ name, label, values }, i) => (
            <>
              {i > 0 && ' · '}
              <a key={name} href={`/simulator?preset=${name}`} data-preset={JSON.stringify(values)}>
                {label}
              </a>
            </>
          ))}
          {' · '}
          <a href="/simulator">Current policy</a>
        </p>
        <div class="panel effect" data-effect role="status" aria-label="Effect on past signups" hidden />
        <div class="columns">
          <fieldset class="panel" data-sliders>
            <legend>Weights</legend>
            {number('weights-email', FACTOR_NAMES.email, 1_000)}
            {number('weights-ip_address', FACTOR_NAMES.ip_address, 1_000)}
            {number('weights-velocity', FACTOR_NAMES.velocity, 1_000)}
            {number('weights-user_agent', FACTOR_NAMES.user_agent, 1_000)}
          </fieldset>
          <fieldset class="panel" data-sliders>
            <legend>Levels</legend>
            <p class="hint">The lowest score of each level.</p>
            {number('levels-low', 'Low risk', 100)}
            {number('levels-medium', 'Medium risk', 100)}
          </fieldset>
          <fieldset class="panel" data-sliders>
            <legend>Score limits</legend>
            <p class="hint">
              The highest score of a signup to which a line applies. If several lines apply, the lowest limit
              counts. The field Decisive on this page lists the decisive findings.
            </p>
            {number('caps-one_high_factor', 'One factor at high risk', 100)}
            {number('caps-two_high_factors', 'Two factors at high risk', 100)}
            {number('caps-decisive', 'A decisive finding', 100)}
          </fieldset>
          <fieldset class="panel">
            <legend>Findings</legend>
            <TextAreaField
              {...common(
                'points',
                'Points',
                'One reason code and its points per line, such as tor_ip: 50. Other codes keep their points.',
              )}
              rows={4}
            />
            <TextAreaField
              {...common(
                'decisive',
                'Decisive',
                'One reason code per line. A signup with one of these findings gets at most the score limit of a decisive finding.',
              )}
              rows={4}
            />
          </fieldset>
          <fieldset class="panel lists">
            <legend>List entries to add</legend>
            <div class="columns">
              <TextAreaField
                {...common('deny', 'Deny', 'One mailbox, domain, IP address, network or AS number per line')}
                rows={4}
              />
              <TextAreaField
                {...common(
                  'allow',
                  'Allow',
                  'One mailbox, domain, IP address, network or AS number per line. If both lists match a signup, deny wins.',
                )}
                rows={4}
              />
            </div>
          </fieldset>
        </div>
        <p class="hint">
          Velocity limits cannot be simulated here, since decisions store only the counts. To judge a file of
          past signups under other limits, use <code>gatekeeper simulate</code>.
        </p>
        <p>
          <button type="submit">Simulate</button>
        </p>
        <fieldset class="panel">
          <legend>Best levels</legend>
          <p>
            Finds the best scores at which low risk and medium risk begin. With them, as many known frauds as
            possible are stopped (refused or sent to verification), but no more known legitimate signups than
            the percentage below. All other settings stay the same.
          </p>
          <div class="row">
            <Field
              {...common('share', 'Legitimate signups stopped, at most (%)')}
              type="number"
              min={0}
              max={100}
              step={0.01}
            />
            <button type="submit" name="find" value="levels" class="second">
              Find the best levels
            </button>
          </div>
        </fieldset>
      </ActForm>
    </div>
  );
}

function scopesOf(routes: readonly string[]) {
  return [
    { value: '', label: 'all' },
    { value: 'api', label: 'of the API' },
    { value: 'gate', label: 'of the gate' },
    ...routes.map((name) => ({ value: `route:${name}`, label: `of the route ${name}` })),
  ];
}
