import type { ComponentChildren } from 'preact';
import { REASONS } from '../../assessment/reasons.ts';
import { OUTCOMES } from '../../storage/decisions/search/decision-filter.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { ACTIONS, decisionsHref, FIELDS, LABELS, LEVELS, SPANS } from './decision-query.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const choices = (any: string, values: readonly string[]): readonly Choice[] => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value })),
];
const SPAN_CHOICES = [
  { value: '', label: 'any time' },
  ...Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
];
const CODE_CHOICES = choices('any', Object.keys(REASONS).toSorted());
/** What the form has no input for comes by links, and stays when the form is sent. */
const WITHOUT_INPUT = ['key', 'account', 'mailbox', 'template', 'browser', 'door', 'passed'];

/** Sent with GET: the address tells the filter, and works without a script. */
export function FilterForm({ params }: { readonly params: URLSearchParams }) {
  const value = (name: string) => params.get(name) ?? '';
  // Such an input shows nothing where it is given milliseconds or a zone.
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
    <form method="get" action="/decisions" class="panel">
      <div class="row">
        {select('within', SPAN_CHOICES)}
        {select('level', choices('any', LEVELS))}
        {select('wanted_action', choices('any', ACTIONS))}
        {select('code', CODE_CHOICES)}
        {text('domain', 'example.com')}
        {text('id', 'of an answer or a block page')}
      </div>
      <More
        isOpen={['from', 'to', 'network', 'route', 'outcome', 'label', 'tests'].some((n) => params.has(n))}
      >
        <Field name="from" label="From (UTC)" type="datetime-local" value={local('from')} step={1} />
        <Field name="to" label="Until (UTC)" type="datetime-local" value={local('to')} step={1} />
        {text('network', '203.0.113.0/24')}
        {text('route', 'of the gate')}
        {select('outcome', choices('any or none', [...OUTCOMES, 'any']))}
        {select('label', choices('any or none', [...LABELS, 'any']))}
        <label class="choice">
          <input type="checkbox" name="tests" value="yes" checked={params.has('tests')} />
          Those of test keys too
        </label>
      </More>
      {WITHOUT_INPUT.flatMap((name) =>
        params.getAll(name).map((kept) => <input key={kept} type="hidden" name={name} value={kept} />),
      )}
      <button type="submit">Show</button>
    </form>
  );
}

function More({ isOpen, children }: { readonly isOpen: boolean; readonly children: ComponentChildren }) {
  return (
    <details open={isOpen}>
      <summary>More conditions</summary>
      <div class="row">{children}</div>
    </details>
  );
}

/** Posted, so that an address of a person stands in no history and no log; it leads to the pseudonym's page. */
export function MailboxForm({ csrfToken }: { readonly csrfToken: string }) {
  return (
    <ActForm action="/decisions/of-mailbox" csrfToken={csrfToken} class="panel row">
      <Field
        name="email"
        label="Decisions about one mailbox"
        hint="Under any of its spellings. Only its pseudonym is searched for."
        type="search"
        placeholder="someone@example.net"
        maxLength={300}
        required
      />
      <button type="submit" class="second">
        Find
      </button>
    </ActForm>
  );
}

/** What the list is narrowed by, each with the way to take it off. */
export function Conditions({ params }: { readonly params: URLSearchParams }) {
  const conditions = [...params];
  if (conditions.length === 0) return null;
  return (
    <ul class="conditions" aria-label="Conditions">
      {conditions.map(([name, value]) => (
        <li key={`${name} ${value}`}>
          {FIELDS[name]?.label ?? name}: <strong>{value}</strong>{' '}
          <a href={decisionsHref(without(params, name, value))} aria-label={`Take off ${name} ${value}`}>
            ×
          </a>
        </li>
      ))}
      <li>
        <a href="/decisions">Take all off</a>
      </li>
    </ul>
  );
}

function without(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(name, value);
  return rest;
}
