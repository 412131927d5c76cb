import type { ComponentChildren } from 'preact';
import { reasonTitle } from '../../assessment/reason-phrases.ts';
import { isReasonCode, REASONS, type ReasonCode } from '../../assessment/reasons.ts';
import { OUTCOMES } from '../../storage/decisions/search/decision-filter.ts';
import { ACTION_WORDS } from '../components/action-words.ts';
import { Field, SelectField } from '../components/field.tsx';
import { ACTIONS, decisionsHref, FIELDS, LABELS, LEVELS, SPANS } from './decision-query.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const choices = (any: string, values: readonly string[]): readonly Choice[] => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];
const ACTION_CHOICES = [
  { value: '', label: 'any' },
  ...ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value] })),
];
const SPAN_CHOICES = [
  { value: '', label: 'any time' },
  ...Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
];
const CODE_CHOICES = [
  { value: '', label: 'any' },
  ...(Object.keys(REASONS) as ReasonCode[])
    .map((code) => ({ value: code, label: reasonTitle(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
];
/** Filters without an input come from links, and are kept when the form is sent. */
const WITHOUT_INPUT = ['id', 'key', 'account', 'mailbox', 'template', 'browser', 'style', 'door', 'passed'];

/** The form uses GET, so the URL contains the filter, and the form works without a script. */
export function FilterForm({ params }: { readonly params: URLSearchParams }) {
  const value = (name: string) => params.get(name) ?? '';
  // A `datetime-local` input shows nothing if its value has milliseconds or a time zone.
  const local = (name: string) => value(name).slice(0, 19);
  const select = (name: string, options: readonly Choice[]) => (
    <SelectField name={name} label={FIELDS[name]?.label ?? name} value={value(name)} options={options} />
  );
  const text = (name: string, placeholder: string) => (
    <Field
      name={name}
      label={FIELDS[name]?.label ?? name}
      value={value(name)}
      placeholder={placeholder}
      maxLength={300}
    />
  );
  return (
    <form method="get" action="/decisions" class="filters" data-filters>
      {select('within', SPAN_CHOICES)}
      {select('level', choices('any', LEVELS))}
      {select('wanted_action', ACTION_CHOICES)}
      {select('code', CODE_CHOICES)}
      <More>
        <Field name="from" label="From (UTC)" type="datetime-local" value={local('from')} step={1} />
        <Field name="to" label="Until (UTC)" type="datetime-local" value={local('to')} step={1} />
        {text('domain', 'example.com')}
        {text('network', '203.0.113.0/24')}
        {text('route', 'of the gate')}
        {select('outcome', choices('any or none', [...OUTCOMES, 'any']))}
        {select('label', choices('any or none', [...LABELS, 'any']))}
        <label class="choice">
          <input type="checkbox" name="tests" value="yes" checked={params.has('tests')} />
          Include test keys
        </label>
      </More>
      {WITHOUT_INPUT.flatMap((name) =>
        params.getAll(name).map((kept) => <input key={kept} type="hidden" name={name} value={kept} />),
      )}
      <button type="submit">Show</button>
    </form>
  );
}

/** This part is closed at first: the chips below the form show its active filters. */
function More({ children }: { readonly children: ComponentChildren }) {
  return (
    <details>
      <summary>More filters</summary>
      <div class="row">{children}</div>
    </details>
  );
}

/** The active filters, each with a link that removes it. */
export function Conditions({ params }: { readonly params: URLSearchParams }) {
  const conditions = [...params];
  if (conditions.length === 0) return null;
  return (
    <ul class="conditions" aria-label="Filters">
      {conditions.map(([name, value]) => (
        <li key={`${name} ${value}`}>
          {FIELDS[name]?.label ?? name}: <strong>{wordsFor(name, value)}</strong>{' '}
          <a href={decisionsHref(without(params, name, value))} aria-label={`Remove ${name} ${value}`}>
            ×
          </a>
        </li>
      ))}
      <li>
        <a href="/decisions">Remove all</a>
      </li>
    </ul>
  );
}

function wordsFor(name: string, value: string): string {
  if (name === 'code' && isReasonCode(value)) return reasonTitle(value);
  const action = name === 'wanted_action' ? ACTIONS.find((one) => one === value) : undefined;
  if (action !== undefined) return ACTION_WORDS[action];
  return (name === 'within' && SPANS[value]?.label) || value;
}

function without(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(name, value);
  return rest;
}
