import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { pipeline } from 'node:stream';
import type { RequestHandler } from 'express';

/** What the gate and other proxies add; the dashboard answers some pages only without a proxy. */
const ADDED = /^(?:x-.*|forwarded|via)$/;

/**
 * Passes requests to the dashboard, so that one port serves the shop and the dashboard. `Host` stays, because the
 * dashboard compares it with the origin of its forms.
 */
export function createDashboardProxy(dashboardUrl: () => string): RequestHandler {
  return (request, response) => {
    const passed = send(
      new URL(request.originalUrl, dashboardUrl()),
      { method: request.method, headers: ownHeaders(request) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => {});
      },
    );
    passed.on('error', () => refuse(response));
    pipeline(request, passed, () => {});
  };
}

function ownHeaders({ headers }: IncomingMessage) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ADDED.test(name)));
}

function refuse(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end('The dashboard does not answer.\n');
}
