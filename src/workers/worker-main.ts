// The parent receives the same signals and says what to do. First, since a signal may arrive while modules load.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// The parent has ended, or needs this worker no more. Connections that libraries left open do not delay that.
process.on('disconnect', () => process.exit());
const { serveAsWorker } = await import('./serve-worker.ts');
serveAsWorker(process);

export {};
