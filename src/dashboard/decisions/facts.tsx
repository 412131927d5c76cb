import type { ComponentChildren } from 'preact';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { NamedKey } from '../../storage/decisions/search/decision-search.ts';
import { Time } from '../components/time.tsx';
import { formatCount } from '../overview/format.ts';

/** Outcomes of a held signup, in words. */
const OUTCOMES: Readonly<Record<string, string>> = {
  verified: 'verified by its sender and sent to the app',
  expired: 'expired: not verified in time',
  locked: 'locked after too many wrong codes',
  reported: 'dropped: the owner of the mailbox reported that it was not their signup',
};

export function Facts({
  decision,
  named,
}: {
  readonly decision: StoredDecision;
  readonly named: NamedKey | null;
}) {
  const { identity, plain, outcome } = decision;
  return (
    <dl class="facts panel">
      <Fact name="Judged">
        <Time at={decision.processedAt} /> in {Math.round(decision.elapsedMs * 100) / 100} ms
        {decision.degraded && ', degraded: a factor was not fully examined'}
      </Fact>
      {decision.lastSeenAt !== null && (
        <Fact name="Repeated">
          × {formatCount(decision.repeats + 1)}, last <Time at={decision.lastSeenAt} brief />{' '}
          <span class="hint">
            Repeats of the same sender with the same outcome share one row. The overview counts each repeat.
          </span>
        </Fact>
      )}
      <Fact name="Request id">
        <code>{decision.requestId}</code>
      </Fact>
      <Fact name={decision.route === null ? 'Key' : 'Route'}>
        {decision.route ?? (named ? `${named.accountName} / ${named.name}` : 'a deleted key')}
        {decision.test && ', a test key: not counted'}
      </Fact>
      {plain && <Fact name="Email">{plain.email ?? 'none'}</Fact>}
      <Fact name="Domain">{identity.domain ?? 'none: the email is missing or not valid'}</Fact>
      <Fact name="Mailbox">
        {identity.mailbox === null ? (
          'none'
        ) : (
          <a href={`/decisions?mailbox=${identity.mailbox}`}>
            <code>{identity.mailbox}</code>
          </a>
        )}{' '}
        <span class="hint">a pseudonym; the address itself is {plain ? 'stored too' : 'not stored'}</span>
      </Fact>
      {plain && <Fact name="Address">{plain.ip}</Fact>}
      <Fact name="Network">{identity.network}</Fact>
      {plain && <Fact name="User agent">{plain.userAgent ?? 'none'}</Fact>}
      {decision.action !== null && (
        <Fact name="Outcome">{outcome === null ? 'none' : (OUTCOMES[outcome] ?? outcome)}</Fact>
      )}
      <Fact name="Revisions">
        policy <code>{decision.policyRevision}</code>, data <code>{decision.dataRevision}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
