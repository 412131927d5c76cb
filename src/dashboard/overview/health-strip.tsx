import { Time } from '../components/time.tsx';
import type { HealthFact } from './health.ts';

/** The state of the site in one line, which links to the details. */
export function HealthStrip({ facts }: { readonly facts: readonly HealthFact[] }) {
  return (
    <ul class="health" aria-label="Health">
      {facts.map(({ name, state, isGood, at = null, href }) => (
        <li key={name}>
          <a href={href} class={isGood ? 'good' : 'bad'}>
            {name}: <strong>{state}</strong>
            {at !== null && (
              <>
                , <Time at={at} />
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
