import { RISK_LEVELS } from '../../../simulation/comparison.ts';
import { FILE_ADVICE } from '../../../simulation/effect-words.ts';
import { effectOf } from '../../../simulation/policy-effect.ts';
import type { SimulatedFile } from '../../../simulation/upload/simulated-file.ts';
import { Notice } from '../../components/notice.tsx';
import { EffectVerdict } from '../effect-verdict.tsx';
import { LevelBar } from '../level-bar.tsx';
import { count, Doubts } from '../replay-tables.tsx';

/** The verdict on a file: the same as that of `gatekeeper simulate`. */
export function FileResults({ result }: { readonly result: SimulatedFile }) {
  const { signups, unreadable, problems, counts } = result;
  if (signups === 0) {
    return (
      <Notice kind="error">
        <p>No row of the file can be judged. Choose other columns, or correct the file.</p>
        <Problems problems={problems} unreadable={unreadable} />
      </Notice>
    );
  }
  return (
    <section aria-labelledby="results">
      <h2 id="results">Verdict</h2>
      <div class="panel">
        <EffectVerdict effect={effectOf(counts.known)} before={null} advice={FILE_ADVICE} />
      </div>
      {unreadable > 0 && (
        <Notice kind="warning">
          <p>
            {count(unreadable)} of {count(result.rows)} rows cannot be read and are left out.
          </p>
          <Problems problems={problems} unreadable={unreadable} />
        </Notice>
      )}
      <h3>Levels</h3>
      <LevelBar levels={counts.levels} longest={signups} name="Levels of the file" />
      <p class="hint">
        {count(signups)} signups, judged without DNS:{' '}
        {RISK_LEVELS.map((level) => `${count(counts.levels[level])} ${level}`).join(', ')}.
      </p>
      <Doubts counts={counts} />
    </section>
  );
}

function Problems({ problems, unreadable }: Pick<SimulatedFile, 'problems' | 'unreadable'>) {
  const more = unreadable - problems.length;
  return (
    <details>
      <summary>Which rows, and why</summary>
      <ul>
        {problems.map(({ line, problem }) => (
          <li key={line}>
            Line {line}: {problem}.
          </li>
        ))}
        {more > 0 && <li>And {count(more)} more.</li>}
      </ul>
    </details>
  );
}
