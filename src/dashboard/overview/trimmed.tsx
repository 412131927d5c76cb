import type { DecisionBounds, DecisionTrim } from '../../storage/retention/decision-bounds.ts';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from './format.ts';

interface Props {
  readonly trims: readonly DecisionTrim[];
  readonly bounds: DecisionBounds;
}

/** Warns when decisions were deleted early. Deleted decisions of test keys need no warning. */
export function Trimmed({ trims, bounds }: Props) {
  const shown = trims.filter(({ bound }) => bound !== 'max_test_decisions');
  return (
    <>
      {shown.map(({ bound, deleted, since, lastAt }) => (
        <Notice key={bound} kind="warning">
          <p>
            <strong>The oldest decisions are deleted early.</strong> {reasonOf(bound, bounds)}. Since{' '}
            <Time at={since} exact="minute" />, {formatCount(deleted)} were deleted, the last{' '}
            <Time at={lastAt} />. The numbers below still count them. Raise <code>storage.{bound}</code>, or
            shorten <code>privacy.retention</code>.
          </p>
        </Notice>
      ))}
    </>
  );
}

function reasonOf(bound: DecisionTrim['bound'], bounds: DecisionBounds): string {
  if (bound === 'max_decisions') return `The limit is ${formatCount(bounds.max_decisions)} decisions`;
  return `The database has reached ${formatCount(Math.round(bounds.max_size / 1_048_576))} MB`;
}
