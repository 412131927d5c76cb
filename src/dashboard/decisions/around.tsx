import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { AroundDecision, Likeness } from '../../storage/decisions/search/decision-search.ts';
import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { decisionsHref } from './decision-query.ts';

const WORDS: Readonly<Record<Likeness, string>> = {
  mailbox: 'The same mailbox, in any spelling',
  template: 'Mailboxes of the same pattern',
  device: 'The same browser in the same network',
  network: 'The same network',
  domain: 'The same email domain',
};
const WINDOWS = ['tenMinutes', 'hour', 'day'] as const;

/** Similar attempts of the day before the decision. */
export function Around({
  decision,
  around,
}: {
  readonly decision: StoredDecision;
  readonly around: AroundDecision;
}) {
  return (
    <section class="panel" aria-labelledby="around">
      <h2 id="around">Attempts with the same values</h2>
      <p>
        Each number is how many attempts with this value were made in the 10 minutes, 1 hour or 24 hours up to
        this attempt. This attempt is included. In brackets: how many different mailboxes they used. Signups
        at the gate are compared only with other signups at the gate. Signups scored by the API are compared
        only with those of the same API account.
      </p>
      <DataTable
        caption="Attempts by shared value"
        columns={['Shared value', '10 minutes', '1 hour', '24 hours']}
        cards
      >
        {around.likenesses.map(({ likeness, attempts, mailboxes }) => (
          <tr key={likeness}>
            <th scope="row">
              <a href={decisionsHref(paramsOf(likeness, decision))}>{WORDS[likeness]}</a>
            </th>
            {WINDOWS.map((window) => (
              <td key={window}>
                {attempts[window]} ({mailboxes[window]})
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      {around.countedBackTo !== null && (
        <p class="hint">
          Too many attempts: only attempts after <Time at={around.countedBackTo} exact="minute" /> are
          counted.
        </p>
      )}
    </section>
  );
}

function paramsOf(likeness: Likeness, { identity }: StoredDecision): URLSearchParams {
  const { mailbox, template, userAgent, network, domain } = identity;
  const params: Readonly<Record<Likeness, Readonly<Record<string, string | null>>>> = {
    mailbox: { mailbox },
    template: { template },
    device: { network, browser: userAgent },
    network: { network },
    domain: { domain },
  };
  return new URLSearchParams(
    Object.entries(params[likeness]).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
