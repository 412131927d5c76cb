import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField, TextAreaField } from '../components/field.tsx';
import { type FormMistakes, MAX_DAYS } from './proposal.ts';
import type { SimulatorForm } from './simulator-form.ts';

interface Props {
  readonly form: SimulatorForm;
  readonly mistakes: FormMistakes;
  readonly routes: readonly string[];
  readonly csrfToken: string;
}

/** The whole policy, filled in with what holds now. */
export function PolicyForm({ form, mistakes, routes, csrfToken }: Props) {
  const common = (name: string, label: string, hint?: string) => ({
    ...{ name, label, hint, value: form[name] ?? '', error: mistakes.get(name) },
  });
  const number = (name: string, label: string, max: number) => (
    <Field {...common(name, label)} type="number" min={0} max={max} step={max > 100 ? 0.01 : 1} required />
  );
  return (
    <ActForm action="/simulator" csrfToken={csrfToken}>
      <h2>What to look at</h2>
      <div class="row panel">
        <Field
          {...common('days', 'Days back', `1 to ${MAX_DAYS}`)}
          type="number"
          min={1}
          max={MAX_DAYS}
          required
        />
        <SelectField
          {...common('scope', 'Signups', 'By the door they came through')}
          options={scopesOf(routes)}
        />
        <Field {...common('account', 'Account', 'By its name; empty: all')} maxLength={300} />
      </div>
      <h2>The policy to try</h2>
      <div class="columns">
        <fieldset class="panel">
          <legend>Weights</legend>
          {number('weights-email', 'Email', 1_000)}
          {number('weights-ip_address', 'Address', 1_000)}
          {number('weights-velocity', 'Velocity', 1_000)}
          {number('weights-user_agent', 'User agent', 1_000)}
        </fieldset>
        <fieldset class="panel">
          <legend>Levels: the lowest score of each</legend>
          {number('levels-low', 'Low risk', 100)}
          {number('levels-medium', 'Medium risk', 100)}
        </fieldset>
        <fieldset class="panel">
          <legend>Caps: the most that is left</legend>
          {number('caps-one_high_factor', 'One factor at high risk', 100)}
          {number('caps-two_high_factors', 'Two factors at high risk', 100)}
          {number('caps-decisive', 'A decisive finding', 100)}
        </fieldset>
        <fieldset class="panel">
          <legend>Findings</legend>
          <TextAreaField
            {...common('points', 'Points', 'In place of the usual ones, one a line, such as tor_ip: 50')}
            rows={4}
          />
          <TextAreaField
            {...common('decisive', 'Decisive', 'Codes that hold the score under their cap, one a line')}
            rows={4}
          />
        </fieldset>
        <fieldset class="panel">
          <legend>Lists: entries to add</legend>
          <TextAreaField
            {...common('deny', 'Deny', 'A mailbox, domain, address, network or AS number a line')}
            rows={4}
          />
          <TextAreaField {...common('allow', 'Allow', 'Where both name somebody, deny wins')} rows={4} />
        </fieldset>
      </div>
      <p class="hint">
        Limits of velocity cannot be tried here: what was counted is stored, not how. Past signups in a file
        can be judged under other limits with <code>gatekeeper simulate</code>.
      </p>
      <p>
        <button type="submit">Simulate</button> <a href="/simulator">Back to the policy of now</a>
      </p>
    </ActForm>
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
