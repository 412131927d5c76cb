#!/usr/bin/env node
import { refuseOldNode } from './node-version.ts';

refuseOldNode();
// All other modules are loaded after the signal handlers, because a signal may arrive during the loading.
const { catchSignals } = await import('./signals.ts');
const signals = catchSignals();
const { runProgram } = await import('./program.ts');
await runProgram(signals);
