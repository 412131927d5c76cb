import { createServer } from 'node:net';
import { findPortOwner } from '../src/cli/port-owner.ts';
import { type DemoSettings, SettingsError } from './settings.ts';

/**
 * Holds the port of the demo until Gatekeeper listens there: a second demo ends at once, and not after its preparation.
 *
 * @returns a function that frees the port.
 * @throws SettingsError when the port is in use, or the address cannot be listened on.
 */
export async function claimPort({ host, port }: DemoSettings): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port, exclusive: true }, resolve);
    });
  } catch (error) {
    throw new SettingsError(explain((error as NodeJS.ErrnoException).code ?? '', host, port), {
      cause: error,
    });
  }
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function explain(code: string, host: string, port: number): string {
  if (code === 'EADDRINUSE') {
    const owner = findPortOwner(port) ?? 'another program';
    return `Port ${port} is in use: ${owner} listens there. Stop it, or choose another port: GATEKEEPER_DEMO_PORT=${port === 65_535 ? port - 1 : port + 1} npm run demo`;
  }
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Choose a port from 1024 on: GATEKEEPER_DEMO_PORT=8000 npm run demo`;
  return `The demo cannot listen on ${host}:${port} (${code}). Change GATEKEEPER_DEMO_HOST: 127.0.0.1, or 0.0.0.0 in a container.`;
}
