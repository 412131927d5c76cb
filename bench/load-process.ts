/** The process that sends load: its parent gives it one job at a time. */
import { drive, type Load } from './drive.ts';
import type { LoadAnswer } from './load-generator.ts';

let requests: readonly string[] = [];

process.on('message', (order: Partial<Pick<Load, 'requests'>> & Omit<Load, 'requests'>) => {
  requests = order.requests ?? requests;
  drive({ ...order, requests }).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());

function answer(message: LoadAnswer): void {
  process.send?.(message);
}
