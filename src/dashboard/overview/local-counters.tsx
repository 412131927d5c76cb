import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';

/** Warns while this node counts alone. */
export function LocalCounters({ since }: { readonly since: number }) {
  return (
    <Notice kind="warning">
      <p>
        <strong>
          Counters are local since <Time at={since} exact="minute" />.
        </strong>{' '}
        The server in <code>storage.counters</code> does not answer. Until it does, this node uses only its
        own counts of signups, of requests per minute and of wrong passwords. The log names the cause.
      </p>
    </Notice>
  );
}
