import { Time } from '../components/time.tsx';
import type { Happening } from './happenings.ts';

/** The id by which the charts of the page find the list and mark its times. */
export const HAPPENINGS_ID = 'happenings';
const SHOWN = 8;
const MAX_SHOWN = 100;
const WORDS = { attack: 'Attack', warning: 'Warning', change: 'Change' } as const;

/** The events as sentences with links. The charts mark the same times. */
export function HappeningList({
  happenings,
  isPart,
}: {
  readonly happenings: readonly Happening[];
  /** Whether the figures belong to only one account or route. */
  readonly isPart: boolean;
}) {
  const attacks = happenings.filter(({ kind }) => kind === 'attack').length;
  const [first, more] = split(happenings);
  return (
    <section aria-labelledby="happened">
      <h2 id="happened">
        {attacks === 0 ? 'No attacks' : attacks === 1 ? '1 attack' : `${attacks} attacks`}
      </h2>
      {isPart && (
        <p class="hint">These events are of the whole site, not only of the chosen account or route.</p>
      )}
      {happenings.length === 0 ? (
        <p class="faint">No warning and no change of the policy or the lists in this time.</p>
      ) : (
        <div id={HAPPENINGS_ID}>
          <ul class="happenings">{first.map(itemOf)}</ul>
          {more.length > 0 && (
            <details>
              <summary>{more.length} more</summary>
              <ul class="happenings">{more.map(itemOf)}</ul>
            </details>
          )}
        </div>
      )}
    </section>
  );
}

/** The newest first. An operator may answer an attack with many changes, which must not hide the attack. */
function split(happenings: readonly Happening[]): readonly [readonly Happening[], readonly Happening[]] {
  const isChange = ({ kind }: Happening) => Number(kind === 'change');
  const newestFirst = (a: Happening, b: Happening) => b.from - a.from;
  const ranked = happenings.toSorted((a, b) => isChange(a) - isChange(b)).slice(0, MAX_SHOWN);
  return [ranked.slice(0, SHOWN).sort(newestFirst), ranked.slice(SHOWN).sort(newestFirst)];
}

function itemOf({ kind, title, result, href, from, to }: Happening) {
  return (
    <li key={`${from} ${title}`} data-kind={kind} data-from={from} data-to={to}>
      <span class={`badge mark-${kind}`}>{WORDS[kind]}</span>
      <a href={href}>{title}</a>
      <span class="faint">
        <Time at={from} exact="minute" />
        {to - from >= 60_000 && (
          <>
            {' to '}
            {sameDay(from, to) ? <Time at={to} brief /> : <Time at={to} exact="minute" />}
          </>
        )}
        {result !== null && `, ${result}`}
      </span>
    </li>
  );
}

function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
