import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { NamedKey } from '../../storage/decisions/search/decision-search.ts';
import { Time } from '../components/time.tsx';
import { formatCount } from '../overview/format.ts';

/** The outcome of a verification, as a sentence. */
const OUTCOMES: Readonly<Record<string, string>> = {
  verified: 'The sender verified the mailbox, and the signup was sent to the app.',
  corrected: 'The sender accepted the suggested address, and the signup was judged again with it.',
  let_in: 'The staff let the signup in.',
  refused: 'The staff refused the signup.',
  expired: 'The sender did not verify the mailbox in time.',
  locked: 'The verification was locked after too many wrong codes.',
  reported: 'The owner of the mailbox reported that the signup was not their own.',
};

interface Props {
  readonly decision: StoredDecision;
  readonly named: NamedKey | null;
}

/** The sender, the place and the time of the signup, and the later events. */
export function Story({ decision, named }: Props) {
  const { identity, plain, examinations, processedAt } = decision;
  const owner = examinations.ip_address?.evidence;
  return (
    <>
      <p class="who">
        {plain?.email ?? mailboxAt(identity.domain)}, from {plain?.ip ?? identity.network}
        {owner && ` (${owner})`}, <Source decision={decision} named={named} />, <Time at={processedAt} />.
      </p>
      <p>
        <Since decision={decision} />
      </p>
    </>
  );
}

function mailboxAt(domain: string | null): string {
  return domain === null ? 'A signup without a valid email address' : `A mailbox at ${domain}`;
}

function Source({ decision: { route, test }, named }: Props) {
  if (route !== null) return <>on the route {route}</>;
  const kind = test ? 'the test key' : 'the key';
  return <>{named ? `with ${kind} ${named.accountName} / ${named.name}` : 'with a deleted key'}</>;
}

function Since({ decision }: Pick<Props, 'decision'>) {
  const { outcome, label, repeats, lastSeenAt } = decision;
  const isVerifying = decision.action === 'verify' && outcome === null;
  if (outcome === null && label === null && lastSeenAt === null && !isVerifying) {
    return <span class="faint">No later events.</span>;
  }
  return (
    <>
      {outcome !== null && `${OUTCOMES[outcome] ?? `Outcome of the verification: ${outcome}.`} `}
      {isVerifying && 'The outcome of the verification is not known yet. '}
      {label !== null && `Label: ${label}. `}
      {lastSeenAt !== null && (
        <>
          The same sender tried again {repeats === 1 ? 'once' : `${formatCount(repeats)} times`}, last{' '}
          <Time at={lastSeenAt} />.
        </>
      )}
    </>
  );
}
