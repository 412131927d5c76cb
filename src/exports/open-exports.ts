import { randomUUID } from 'node:crypto';
import type { ExportProgress } from '../storage/exports/export-store.ts';
import { type DeliveryDependencies, type ExportConfig, startDelivery } from './deliver-export.ts';

export interface Exports {
  /** The progress of each export, for the metrics. */
  progress(): readonly { readonly name: string; readonly progress: ExportProgress | null }[];
  close(withinMs?: number): Promise<void>;
}

/** Starts the delivery to each configured webhook. */
export function openExports({
  configs,
  ...parts
}: Omit<DeliveryDependencies, 'config' | 'owner' | 'random'> & {
  readonly configs: readonly ExportConfig[];
}): Exports {
  const owner = randomUUID();
  const deliveries = configs.map((config) => ({
    name: config.name,
    delivery: startDelivery({ ...parts, config, owner, random: Math.random }),
  }));
  return {
    progress: () => deliveries.map(({ name, delivery }) => ({ name, progress: delivery.progress() })),
    async close(withinMs) {
      await Promise.all(deliveries.map(({ delivery }) => delivery.close(withinMs)));
    },
  };
}
