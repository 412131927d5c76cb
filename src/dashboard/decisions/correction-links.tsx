import type { Corrections } from '../../storage/held-signups/held-signup-store.ts';

/** The decisions before and after the sender accepted a suggested address. */
export function CorrectionLinks({
  corrections: { corrects, correctedAs },
}: {
  readonly corrections: Corrections;
}) {
  return (
    <>
      {corrects !== null && (
        <p>
          The sender accepted a suggested address. Before:{' '}
          <a href={`/decisions/${corrects}`}>the decision on the address as typed</a>.
        </p>
      )}
      {correctedAs !== null && (
        <p>
          After: <a href={`/decisions/${correctedAs}`}>the decision on the corrected address</a>.
        </p>
      )}
    </>
  );
}
