import { type Comparison, type LevelMatrix, movesOf, RISK_LEVELS } from '../simulation/comparison.ts';
import { sumOf } from '../simulation/judgement-counts.ts';
import { type Html, html } from '../web/html.ts';
import { count } from './simulation-figures.ts';

/** The section of the report that says how many go from which level to which. */
export function changes({ matrix, labelled }: Comparison, name: string): Html {
  const { stricter, milder } = movesOf(matrix);
  return html`<section><h2>What changes with ${name}</h2>
<p>${count(stricter)} signups are judged more strictly, ${count(milder)} more mildly.</p>
${matrixTable(matrix, name, 'All signups')}
${(['fraud', 'legitimate'] as const).map((label) =>
  RISK_LEVELS.some((before) => sumOf(labelled[label][before]) > 0)
    ? matrixTable(labelled[label], name, `Of those labelled ${label}`)
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
          ? html`<td class="number stays">${count(matrix[before][after])}</td>`
          : html`<td class="number"><strong>${count(matrix[before][after])}</strong></td>`,
      )}</tr>`,
  )}</tbody>
</table></div>`;
}
