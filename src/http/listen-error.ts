import type { ListenAddress } from '../config/listen-address.ts';

/** An address that cannot be bound. The cause is the system's error. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly listen: ListenAddress;
  /** The system's error code: `EADDRINUSE`, `EACCES` and others. */
  readonly code: string;

  constructor(listen: ListenAddress, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? cause.message;
    const reason =
      code === 'EADDRINUSE' ? 'another program uses this port; stop it or choose another port' : code;
    super(`Cannot listen on ${listen.host}:${listen.port}: ${reason}.`, { cause });
    this.listen = listen;
    this.code = code;
  }
}
