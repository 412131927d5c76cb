import type { ValidateFunction } from 'ajv';
import { openConfigAjv } from './config-ajv.ts';
import { configSchema } from './config-schema.ts';

/** In the built program, `scripts/bundle-program.js` puts the compiled schema in place of this module. */
export function compileConfigSchema(): ValidateFunction {
  return openConfigAjv().compile(configSchema);
}
