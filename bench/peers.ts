import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildServer, openChildServer } from './child-server.ts';
import { freePort } from './free-port.ts';
import { type Command, onServerCore } from './machine.ts';

/** A proxy that is common in front of apps. */
export interface Peer {
  readonly name: string;
  /** The command that shows whether it is installed. */
  readonly versionCommand: Command;
  /** Its configuration: one worker, keep-alive to the app, no access log, like the gate's pass-through. */
  configure(ports: { readonly listen: number; readonly upstream: number }): string;
  command(folder: string, configFile: string): Command;
  readonly env?: Readonly<Record<string, string>>;
}

/** /usr/sbin is not on every user's path. */
const SEARCH_PATH = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin`;

export const PEERS: readonly Peer[] = [
  {
    name: 'nginx',
    versionCommand: ['nginx', '-v'],
    configure: ({ listen, upstream }) => `
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  client_max_body_size 10m;
  client_body_buffer_size 128k;
  keepalive_requests 1000000000;
  upstream app {
    server 127.0.0.1:${upstream};
    keepalive 256;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${listen};
    location / {
      proxy_pass http://app;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`,
    command: (folder, configFile) => ['nginx', '-p', folder, '-e', 'stderr', '-c', configFile],
  },
  {
    name: 'haproxy',
    versionCommand: ['haproxy', '-v'],
    configure: ({ listen, upstream }) => `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 75s
  timeout server 60s
  option forwardfor
frontend visitors
  bind 127.0.0.1:${listen}
  default_backend app
backend app
  http-reuse always
  server app 127.0.0.1:${upstream}
`,
    command: (_folder, configFile) => ['haproxy', '-db', '-f', configFile],
  },
  {
    name: 'caddy',
    versionCommand: ['caddy', 'version'],
    configure: ({ listen, upstream }) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${listen}, http://shop.internal:${listen} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstream}
}
`,
    command: (_folder, configFile) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configFile],
    env: { GOMAXPROCS: '1' },
  },
];

export function isInstalled({ versionCommand: [program, ...args] }: Peer): boolean {
  return (
    spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH: SEARCH_PATH } }).status === 0
  );
}

/** Starts it with its configuration in a separate folder. */
export async function openPeer(peer: Peer, workshop: string, upstream: number): Promise<ChildServer> {
  const folder = join(workshop, peer.name);
  mkdirSync(folder);
  const port = await freePort();
  const configFile = join(folder, `${peer.name}.conf`);
  writeFileSync(configFile, peer.configure({ listen: port, upstream }));
  const command = onServerCore(peer.command(folder, configFile));
  // Caddy keeps a copy of its configuration.
  const env = { ...peer.env, PATH: SEARCH_PATH, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  return openChildServer({ command, folder, port, env });
}
