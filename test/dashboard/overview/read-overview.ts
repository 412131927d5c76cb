import { createRequestId } from '../../../src/http/request-id.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';

export function decided(changes: Partial<DecisionRecord>): DecisionRecord {
  const processedAt = changes.processedAt ?? Date.now();
  return decisionWith({
    ...{ requestId: createRequestId(processedAt), processedAt },
    ...{ door: 'gate', route: 'web', mode: 'enforce', action: 'forward' },
    ...changes,
  });
}

/** The text of the page, as a screen reader reads it. */
export function textOf(body: string): string {
  return body
    .replace(/<head>.*?<\/head>/s, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Rows of the table with this caption, cell by cell. */
export function tableOf(body: string, caption: string): readonly (readonly string[])[] {
  const [, rows = ''] =
    new RegExp(`<caption>${caption}</caption>.*?<tbody>(.*?)</tbody>`, 's').exec(body) ?? [];
  return [...rows.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => textOf(cell).trim()),
  );
}

export function figureOf(body: string, name: string): string {
  const [, value = ''] =
    new RegExp(`${name}</button>.*?<(?:strong|dd)>(?:<span>)?([^<]*)<`, 's').exec(body) ?? [];
  return value;
}
