import type { Config } from '../config/config.ts';

/** The configuration of one of so many workers: together they have the connections that the file allows. */
export function shareConfig(config: Config, workers: number): Config {
  const share = (count: number) => Math.ceil(count / workers);
  const { server, proxy } = config;
  return {
    ...config,
    workers,
    server: { ...server, max_connections: share(server.max_connections) },
    proxy: proxy && { ...proxy, max_upstream_connections: share(proxy.max_upstream_connections) },
  };
}
