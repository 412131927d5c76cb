import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportBatch } from '../storage/exports/export-store.ts';
import { describeDecision } from './decision-document.ts';

/** The number of decisions between two ticks of the event loop. They take about a millisecond. */
const DECISIONS_A_TURN = 100;

/**
 * The body of a webhook: `type`, `timestamp` and `data`, as Standard Webhooks advises. The libraries of that standard
 * parse the body as one JSON document, so the decisions are an array and not lines. Every attempt sends the same body.
 */
export async function renderBatch({ decisions }: ExportBatch): Promise<string> {
  let newest = 0;
  const documents: string[] = [];
  for (const decision of decisions) {
    if (documents.length % DECISIONS_A_TURN === 0) await nextTurn();
    newest = Math.max(newest, decision.processedAt);
    documents.push(describeDecision(decision));
  }
  const timestamp = new Date(newest).toISOString();
  return `{"type":"decisions","timestamp":"${timestamp}","data":[\n${documents.join(',\n')}\n]}`;
}
