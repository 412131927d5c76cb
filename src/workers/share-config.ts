import type { Config } from '../config/config.ts';

/** The configuration of one worker. All workers together have the number of connections that the file allows. */
export function shareConfig(config: Config, workers: number): Config {
  const share = (count: number) => Math.ceil(count / workers);
  const { server, proxy } = config;
  return {
    ...config,
    workers,
    // Only the parent waits, and it accepts connections during that time.
    server: { ...server, max_connections: share(server.max_connections), stop_delay: null },
    proxy: proxy && { ...proxy, max_upstream_connections: share(proxy.max_upstream_connections) },
  };
}
