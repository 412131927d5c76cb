// Loaded into the demo's Gatekeeper before the program. Its standard input is a pipe from the demo, which closes when the demo ends,
// however it ends: after SIGKILL, the demo cannot end its child itself.
import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Its threads load this too, and have no such pipe.
if (isMainThread) {
  const pipe = process.stdin as unknown as Socket;
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.on('error', () => {});
  pipe.resume();
  // The pipe must not keep the process running.
  pipe.unref();
}
