import type { ComponentChildren } from 'preact';
import { referenceOf } from '../../http/reference.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { NamedKey } from '../../storage/decisions/search/decision-search.ts';
import { CopyableId } from '../components/copyable-id.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../overview/format.ts';

export function Facts({
  decision,
  named,
}: {
  readonly decision: StoredDecision;
  readonly named: NamedKey | null;
}) {
  const { identity, plain } = decision;
  const reference = referenceOf(decision.requestId);
  return (
    <dl class="facts panel">
      <Fact name="Judged">
        <Time at={decision.processedAt} exact /> in {Math.round(decision.elapsedMs * 100) / 100} ms
        {decision.degraded && ', degraded: a factor was not fully examined'}
      </Fact>
      {decision.lastSeenAt !== null && (
        <Fact name="Repeated">
          × {formatCount(decision.repeats + 1)}, last <Time at={decision.lastSeenAt} brief />{' '}
          <span class="hint">
            The list shows repeated tries of the same visitor with the same outcome as one row. The overview
            counts each try.
          </span>
        </Fact>
      )}
      <Fact name="Request id">
        <CopyableId id="request-id" text={decision.requestId} name="request id" />
      </Fact>
      {reference !== null && (
        <Fact name="Reference">
          <code>{reference}</code>{' '}
          <span class="hint">shown to the person who signed up, who can read it to you on the phone</span>
        </Fact>
      )}
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
      {plain && <Fact name="IP address">{plain.ip}</Fact>}
      <Fact name="Network">{identity.network}</Fact>
      {plain && <Fact name="User agent">{plain.userAgent ?? 'none'}</Fact>}
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
