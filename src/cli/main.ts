#!/usr/bin/env node
import { refuseOldNode } from './node-version.ts';

refuseOldNode();
// All other modules load after the signal handlers, since a signal may arrive while they load.
const { catchSignals } = await import('./signals.ts');
const signals = catchSignals();
const { runProgram } = await import('./program.ts');
await runProgram(signals);
