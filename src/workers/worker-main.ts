// The parent receives the same signals and tells the worker what to do. This comes first, since a signal may arrive
// while modules load.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
  process.on(signal, () => {});
// The parent has ended, or does not need this worker any more. The exit does not wait for connections that libraries
// left open.
process.on('disconnect', () => process.exit());
const { tuneGarbageCollection } = await import('../gatekeeper/garbage-collection.ts');
tuneGarbageCollection();
const { serveAsWorker } = await import('./serve-worker.ts');
serveAsWorker(process);

export {};
