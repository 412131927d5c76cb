import type { Judge } from '../assessment/judge.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { PageSettings } from '../gate/answers.ts';
import type { JudgingParts } from '../judging-parts.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { RunningWork } from './running-work.ts';

/** The parts of an open gatekeeper that its middleware uses. */
export interface JudgingResources
  extends Pick<JudgingParts, 'records' | 'recorder' | 'pseudonymize' | 'metrics'> {
  readonly config: Config;
  readonly judge: Judge;
  /** The settings of the block page. */
  readonly pages: PageSettings['settings'];
  readonly running: RunningWork;
  readonly clock: Clock;
  readonly log: Logger;
}

const known = new WeakMap<object, JudgingResources>();

export function keepResources(gatekeeper: Gatekeeper, resources: JudgingResources): void {
  known.set(gatekeeper, resources);
}

/** @throws TypeError for anything but the result of `createGatekeeper`. */
export function resourcesOf(gatekeeper: Gatekeeper): JudgingResources {
  const resources = typeof gatekeeper === 'object' && gatekeeper !== null ? known.get(gatekeeper) : undefined;
  if (resources) return resources;
  const isPromise = (gatekeeper as unknown) instanceof Promise;
  throw new TypeError(
    isPromise
      ? 'judgeSignup: the gatekeeper is a promise; write await createGatekeeper(…)'
      : 'judgeSignup: the first argument must be the result of createGatekeeper, from the same installation of signup-gatekeeper',
  );
}
