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
        The server in <code>storage.counters</code> does not answer. This node counts velocity, limits per
        minute and wrong passwords alone, and uses the server again as soon as it answers. The log names the
        cause.
      </p>
    </Notice>
  );
}
