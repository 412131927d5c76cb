import type { Config } from '../config/config.ts';
import type { ListenError } from '../http/listen-error.ts';
import { findPortOwner } from './port-owner.ts';

/** Explains why an address cannot be bound: names its setting, the program that uses the address, and the remedy. */
export function explainListenError({ listen: { host, port }, code }: ListenError, config: Config): string {
  const { api, proxy, dashboard } = config;
  const isAt = (listen: string) => listen === `${host}:${port}` || listen === `[${host}]:${port}`;
  const door = proxy === null ? 'api.listen' : 'proxy.listen';
  const key = [
    { name: 'proxy.listen', listen: proxy?.listen ?? '' },
    { name: 'api.listen', listen: api.listen },
    { name: 'dashboard.listen', listen: dashboard.listen },
  ].find(({ listen }) => isAt(listen))?.name;
  const setting = key ?? 'listen';
  const flag = key === door ? ', or use --port' : '';
  const place = `${setting}: cannot listen on ${host}:${port}`;
  if (code === 'EADDRINUSE') {
    const owner = findPortOwner(port) ?? 'another program';
    return `${place}: ${owner} uses this address. Stop it, or change ${setting}${flag}.`;
  }
  if (code === 'EACCES')
    return `${place}: this user may not use this port. Change ${setting} to a port from 1024 on${flag}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${place}: this machine does not have this address. Change the host of ${setting}, such as 127.0.0.1 or 0.0.0.0.`;
  return `${place} (${code}). Change ${setting}${flag}.`;
}
