#!/usr/bin/env node
import { catchSignals } from './signals.ts';

// Everything else is loaded once the handlers are there: reading all modules takes longer than some signals do.
const signals = catchSignals();
const { runProgram } = await import('./program.ts');
await runProgram(signals);
