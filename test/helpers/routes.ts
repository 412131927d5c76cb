import type { RouteConfig } from '../../src/config/config.ts';

/** A route of the configuration with every key that `config/defaults.yaml` would fill in. */
export function route(path: string, changed: Partial<RouteConfig> = {}): RouteConfig {
  return {
    name: path,
    methods: ['POST'],
    path,
    when: {},
    email: ['email'],
    form: null,
    mode: 'enforce',
    on_low: 'forward',
    on_medium: 'verify',
    on_high: 'block',
    on_error: 'forward',
    on_missing_email: 'block',
    verify: { by: 'upstream' },
    levels: null,
    max_body: 1_048_576,
    max_upload: 33_554_432,
    block_page: null,
    ...changed,
  };
}
