import type { ComponentChildren } from 'preact';
import { reasonTitle } from '../../assessment/reason-phrases.ts';
import { REASONS, type ReasonCode } from '../../assessment/reasons.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { NamedKey } from '../../storage/decisions/search/decision-search.ts';
import { ActionBadge, LevelBadge } from '../components/badges.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Domain } from '../components/mailbox.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../overview/format.ts';
import { decisionsHref } from './decision-query.ts';

export interface ListedDecision {
  readonly decision: StoredDecision;
  readonly reason: ReasonCode | null;
  /** Null at the gate, and for a deleted key. */
  readonly key: NamedKey | null;
}

interface Rows {
  readonly rows: readonly ListedDecision[];
  /** The fields of the page; a link in a cell adds its own field. */
  readonly params: URLSearchParams;
}

const COLUMNS = ['Time', 'Action', 'Reason', 'Score', 'Domain', 'Network', 'Route or key', 'Outcome'];

export function DecisionTable({ rows, params }: Rows) {
  return (
    <DataTable caption="Decisions, newest first" columns={COLUMNS} class="decisions">
      <DecisionRows rows={rows} params={params} />
    </DataTable>
  );
}

/** Only the rows, for the script that refreshes them. */
export function DecisionRows({ rows, params }: Rows) {
  return (
    <>
      {rows.map((row) => (
        <DecisionRow key={row.decision.requestId} row={row} params={params} />
      ))}
    </>
  );
}

function DecisionRow({
  row: { decision, reason, key },
  params,
}: {
  readonly row: ListedDecision;
  readonly params: URLSearchParams;
}) {
  const { requestId, identity, trustScore, riskLevel, route, outcome, label } = decision;
  const narrow = (name: string, value: string | null, children: ComponentChildren = value) =>
    value === null ? (
      <span class="nothing">none</span>
    ) : (
      <a class="narrow-by" href={decisionsHref(params, { [name]: value })}>
        {children}
      </a>
    );
  return (
    <tr>
      <td class="of-time">
        <a class="opens" href={`/decisions/${requestId}`}>
          <Time at={decision.processedAt} />
        </a>
        {decision.lastSeenAt !== null && (
          <span class="aside">
            {' '}
            × {formatCount(decision.repeats + 1)}, last <Time at={decision.lastSeenAt} brief />
          </span>
        )}
      </td>
      <td class="of-action">
        <ActionBadge action={decision.action} wantedAction={decision.wantedAction} mode={decision.mode} />
      </td>
      <td class="of-reason">{reason && <Reason code={reason} params={params} />}</td>
      <td class="short">
        {trustScore} {narrow('level', riskLevel, <LevelBadge level={riskLevel} />)}
        {decision.degraded && <span class="aside"> degraded</span>}
      </td>
      <td class="long">{narrow('domain', identity.domain, <Domain text={identity.domain ?? ''} />)}</td>
      <td>{narrow('network', identity.network)}</td>
      <td>
        {route === null ? narrow('key', decision.keyId, <KeyName named={key} />) : narrow('route', route)}
        {decision.test && <span class="aside"> test</span>}
      </td>
      <td>
        {outcome !== null && narrow('outcome', outcome)}
        {outcome !== null && label !== null && ', '}
        {label !== null && narrow('label', label)}
      </td>
    </tr>
  );
}

function KeyName({ named }: { readonly named: NamedKey | null }) {
  if (!named) return <>a deleted key</>;
  return (
    <>
      {named.accountName} / {named.name}
    </>
  );
}

function Reason({ code, params }: { readonly code: ReasonCode; readonly params: URLSearchParams }) {
  return (
    <a class="narrow-by" href={decisionsHref(params, { code })} title={REASONS[code].description}>
      {reasonTitle(code)}
    </a>
  );
}
