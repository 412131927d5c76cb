#!/usr/bin/env node
import { catchSignals } from './signals.ts';

// All other modules load after the signal handlers, since a signal may arrive while they load.
const signals = catchSignals();
const { runProgram } = await import('./program.ts');
await runProgram(signals);
