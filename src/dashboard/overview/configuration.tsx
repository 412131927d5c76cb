import type { ConfigurationStatus } from '../../config/reload.ts';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';

/** Warns when the configuration file is not the active configuration. */
export function Configuration({ status: { refused, waiting } }: { readonly status: ConfigurationStatus }) {
  return (
    <>
      {refused && (
        <Notice kind="error">
          <p>
            <strong>The configuration file cannot be used.</strong> Since{' '}
            <Time at={refused.since} exact="minute" />, its last valid content stays active. Correct the file;
            Gatekeeper reads it again within seconds.
          </p>
          <pre>{refused.because}</pre>
        </Notice>
      )}
      {waiting.length > 0 && (
        <Notice kind="warning">
          <p>
            <strong>Some changed settings wait for a restart.</strong> Until then, their old values stay
            active:{' '}
            {waiting.map((path, i) => (
              <span key={path}>
                {i > 0 && ', '}
                <code>{path}</code>
              </span>
            ))}
            .
          </p>
        </Notice>
      )}
    </>
  );
}
