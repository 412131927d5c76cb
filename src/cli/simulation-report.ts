import { type Comparison, type LevelMatrix, movesOf, RISK_LEVELS } from '../simulation/comparison.ts';
import { grouped } from '../simulation/effect-words.ts';
import type { ChangedSignup, Verdict } from '../simulation/judge-history.ts';
import { type JudgementCounts, sumOf } from '../simulation/judgement-counts.ts';
import { type Html, html } from '../web/html.ts';
import { highestStep, levelBar, timeChart } from './simulation-charts.ts';
import { minute, type Simulation, share, topDoubts } from './simulation-figures.ts';
import { REPORT_STYLE } from './simulation-report-style.ts';
import { verdictOf } from './simulation-verdict.ts';

/** `--report`: one self-contained page without scripts. It shows values of the history as text. */
export function simulationAsHtml(simulation: Simulation): string {
  const { file, history, judged, against } = simulation;
  const { signups, unreadable } = history;
  const other = judged.against;
  const highest = highestStep([judged.timeline, other?.timeline ?? null]);
  const otherName = against ?? '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Simulation of ${file}</title>
<style>${{ html: REPORT_STYLE }}</style>
</head>
<body>
<main>
<h1>Simulation of ${file}</h1>
<p>${grouped(signups.length)} signups from ${minute(signups[0]?.time ?? 0)} to ${minute(signups.at(-1)?.time ?? 0)} UTC, each judged at its own time with the velocity of its day and without DNS.${unreadable > 0 ? ` ${grouped(unreadable)} of ${grouped(history.rows)} rows could not be read.` : ''}</p>
${verdict(simulation)}
<section>
<h2>Risk levels</h2>
${other ? html`<h3>Now</h3>` : null}
${levelBar(judged.counts.levels)}
${other ? html`<h3>With ${otherName}</h3>${levelBar(other.counts.levels)}` : null}
${levelTable(judged.counts, other && { name: otherName, counts: other.counts })}
</section>
${other ? changes(other.comparison, otherName) : null}
<section>
<h2>Over time</h2>
${other ? html`<h3>Now</h3>` : null}
${judged.timeline && timeChart(judged.timeline, highest)}
${other?.timeline ? html`<h3>With ${otherName}</h3>${timeChart(other.timeline, highest)}` : null}
</section>
${doubts(judged.counts, other ? 'Reasons now' : 'Reasons')}
${other ? doubts(other.counts, `Reasons with ${otherName}`) : null}
${labels(judged.counts)}
${other ? examples(other.examples, otherName) : null}
${problems(simulation)}
</main>
</body>
</html>
`.html;
}

function verdict(simulation: Simulation): Html {
  const { title, headline, notes } = verdictOf(simulation);
  return html`<section><h2>${title}</h2>
<p class="verdict">${headline}</p>
${notes.map((note) => html`<p>${note}</p>`)}
</section>`;
}

function levelTable(
  { levels }: JudgementCounts,
  other: { readonly name: string; readonly counts: JudgementCounts } | null,
): Html {
  const total = sumOf(levels);
  const cells = (part: number) =>
    html`<td class="number">${grouped(part)}</td><td class="number">${share(part, total)}</td>`;
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">level</th><th scope="col" class="number" colspan="2">${other ? 'now' : 'signups'}</th>${
    other ? html`<th scope="col" class="number" colspan="2">${other.name}</th>` : null
  }</tr></thead>
<tbody>${RISK_LEVELS.map(
    (level) =>
      html`<tr><th scope="row"><span class="key"><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${level}" width="1" height="1"/></svg>${level}</span></th>${cells(levels[level])}${other ? cells(other.counts.levels[level]) : null}</tr>`,
  )}</tbody>
</table></div>`;
}

function doubts(counts: JudgementCounts, heading: string): Html {
  const rows = topDoubts(counts);
  const longest = rows[0] ? sumOf(rows[0][1]) : 0;
  if (rows.length === 0)
    return html`<section><h2>${heading}</h2><p>None: every factor of every signup is at low risk.</p></section>`;
  return html`<section><h2>${heading}</h2>
<div class="scroll" tabindex="0"><table>
<caption>Reasons of factors at medium or high risk, coloured by the level of the whole signup.</caption>
<thead><tr><th scope="col">reason</th><th scope="col" class="wide">signups</th><th scope="col" class="number">all</th></tr></thead>
<tbody>${rows.map(
    ([code, counts]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td class="wide">${levelBar(counts, longest)}</td><td class="number">${grouped(sumOf(counts))}</td></tr>`,
  )}</tbody>
</table></div></section>`;
}

function labels({ known }: JudgementCounts): Html | null {
  const shown = (['fraud', 'legitimate'] as const).filter((label) => sumOf(known[label]) > 0);
  if (shown.length === 0) return null;
  return html`<section><h2>Signups with a label</h2>
${shown.map(
  (label) => html`<h3>${label}: ${grouped(sumOf(known[label]))}</h3>${levelBar(known[label])}
<p>${RISK_LEVELS.map((level) => `${level} ${grouped(known[label][level])}`).join(', ')}</p>`,
)}
</section>`;
}

function examples(changed: readonly ChangedSignup[], name: string): Html | null {
  if (changed.length === 0) return null;
  const outcome = ({ riskLevel, trustScore, reasons }: Verdict) =>
    html`<td>${riskLevel}, ${trustScore}${reasons.map((code) => html`<br><code>${code}</code>`)}</td>`;
  return html`<section><h2>Signups with another risk level</h2>
<div class="scroll" tabindex="0"><table>
<caption>The first signups of each change, in order of time, with level, score and the reasons of factors that are not at low risk.</caption>
<thead><tr><th scope="col">line</th><th scope="col">time (UTC)</th><th scope="col">signup</th><th scope="col">now</th><th scope="col">${name}</th><th scope="col">label</th></tr></thead>
<tbody>${changed.map(
    ({ signup, before, after }) =>
      html`<tr><td class="number">${signup.line}</td><td>${minute(signup.time)}</td><td><code>${signup.email}</code><br><code>${signup.ipAddress}</code></td>${outcome(before)}${outcome(after)}<td>${signup.label ?? ''}</td></tr>`,
  )}</tbody>
</table></div></section>`;
}

/** The section of the report with the number of changes between levels. */
function changes({ matrix, known }: Comparison, name: string): Html {
  const { stricter, milder } = movesOf(matrix);
  return html`<section><h2>Changes with ${name}</h2>
<p>${grouped(stricter)} signups get a higher risk level, ${grouped(milder)} a lower risk level.</p>
${matrixTable(matrix, name, 'All signups')}
${(['fraud', 'legitimate'] as const).map((label) =>
  RISK_LEVELS.some((before) => sumOf(known[label][before]) > 0)
    ? matrixTable(known[label], name, `Of those labelled ${label}`)
    : html``,
)}
</section>`;
}

function matrixTable(matrix: LevelMatrix, name: string, caption: string): Html {
  return html`<div class="scroll" tabindex="0"><table>
<caption>${caption}: from now (rows) to ${name} (columns)</caption>
<thead><tr><th scope="col">now</th>${RISK_LEVELS.map((level) => html`<th scope="col" class="number">${level}</th>`)}</tr></thead>
<tbody>${RISK_LEVELS.map(
    (before) =>
      html`<tr><th scope="row">${before}</th>${RISK_LEVELS.map((after) =>
        before === after
          ? html`<td class="number stays">${grouped(matrix[before][after])}</td>`
          : html`<td class="number"><strong>${grouped(matrix[before][after])}</strong></td>`,
      )}</tr>`,
  )}</tbody>
</table></div>`;
}

function problems({ history: { problems, unreadable } }: Simulation): Html | null {
  if (unreadable === 0) return null;
  const more = unreadable - problems.length;
  return html`<section><h2>Rows that could not be read: ${grouped(unreadable)}</h2>
<ul>${problems.map(({ line, problem }) => html`<li>Line ${line}: ${problem}.</li>`)}${more > 0 ? html`<li>And ${grouped(more)} more.</li>` : null}</ul></section>`;
}
