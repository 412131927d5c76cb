import type { ServerConfig } from '../../src/config/config.ts';

export const LIMITS: ServerConfig = {
  head_timeout: 15_000,
  body_timeout: 60_000,
  min_body_rate: 1_024,
  idle_timeout: 75_000,
  stop_delay: null,
  drain_timeout: 2_000,
  max_header_lines: 200,
  max_head: 16_384,
  max_connections: 10_000,
  max_lag: 200,
};
