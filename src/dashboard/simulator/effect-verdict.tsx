import { type Sentence, wordsOf } from '../../simulation/effect-words.ts';
import type { PolicyEffect } from '../../simulation/policy-effect.ts';

/**
 * The verdict in words, from the recorded decisions to the simulated policy. Its numbers are marked, so that a script can
 * replace them while thresholds change.
 */
export function EffectVerdict(props: {
  readonly effect: PolicyEffect;
  /** Null for a policy alone. */
  readonly before: PolicyEffect | null;
  /** The advice when outcomes are missing. */
  readonly advice: string;
}) {
  const { headline, detail, range, missing } = wordsOf(props.effect, props.before);
  return (
    <>
      <p class="verdict">
        <Words text={headline} />
      </p>
      {detail && (
        <p>
          <Words text={detail} />
        </p>
      )}
      {range && (
        <p class="hint">
          <Words text={range} />
        </p>
      )}
      {missing && (
        <p class="hint">
          {missing} {props.advice}
        </p>
      )}
    </>
  );
}

function Words({ text }: { readonly text: Sentence }) {
  return (
    <>
      {text.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span key={part.figure} data-figure={part.figure}>
            {part.value}
          </span>
        ),
      )}
    </>
  );
}
