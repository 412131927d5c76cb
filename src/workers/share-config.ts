import type { Config } from '../config/config.ts';

/** The configuration of one of so many workers: together they have the connections that the file allows. */
export function shareConfig(config: Config, workers: number): Config {
  const share = (count: number) => Math.ceil(count / workers);
  const { server, proxy } = config;
  return {
    ...config,
    workers,
    // The parent waits, and goes on accepting.
    server: { ...server, max_connections: share(server.max_connections), stop_delay: null },
    proxy: proxy && { ...proxy, max_upstream_connections: share(proxy.max_upstream_connections) },
  };
}
