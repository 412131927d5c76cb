import { isIP } from 'node:net';
import { parseCidr, parseIpAddress } from '../../addresses/ip-address.ts';
import type { Config } from '../../config/config.ts';
import { parseListenAddress, urlHost } from '../../config/listen-address.ts';
import { clientAddress, hasForwardingHeader } from '../../http/request-head.ts';
import { broken, type Finding, ok, warning } from './finding.ts';

/** A request to explain: the peer of its connection, and its forwarding headers as `name: value`. */
export interface SampleRequest {
  readonly peer: string | undefined;
  readonly headers: readonly string[];
}

const TIMEOUT_MS = 3_000;

/** The IP address that the gate accepts as the sender of a request, and the reason. */
export function checkAddress({ proxy }: Config, sample: SampleRequest | null): Finding {
  if (proxy === null) return ok('address', 'the API reads the IP address from the field ip_address');
  const { trusted_proxies: networks, client_ip_header: header } = proxy;
  if (sample === null)
    return networks.length === 0
      ? ok(
          'address',
          'the address of the connection; forwarding headers are ignored, because no proxy is trusted',
        )
      : ok('address', `from ${header}, when the connection comes from ${networks.join(', ')}`);
  const { peer } = sample;
  if (peer === undefined)
    return broken('address', '--header needs the address of its connection', '--peer 203.0.113.7');
  const socketAddress = parseIpAddress(peer);
  if (socketAddress === null)
    return broken('address', `"${peer}" is not an IP address`, '--peer 203.0.113.7');
  const rawHeaders = sample.headers.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const trustedProxies = networks.flatMap((text) => parseCidr(text) ?? []);
  const ip = clientAddress({ socketAddress, trustedProxies, header, rawHeaders });
  if (ip.text !== socketAddress.text) return ok('address', `${ip.text}, from ${header}: ${peer} is trusted`);
  if (!hasForwardingHeader(rawHeaders)) return ok('address', `${ip.text}, the address of the connection`);
  const bits = isIP(peer) === 6 ? 128 : 32;
  const others = sample.headers.map((line) => line.split(':', 1)[0]?.toLowerCase());
  if (networks.length > 0 && !others.includes(header))
    return broken(
      'address',
      `${ip.text}, the address of the connection: the request has no ${header}`,
      `proxy: {client_ip_header: ${others[0]}}`,
    );
  return broken(
    'address',
    `${ip.text}, the address of the connection: the peer is not trusted, so its forwarding headers are ignored`,
    `proxy: {trusted_proxies: [${peer}/${bits}]}, if it is your proxy`,
  );
}

/** Reports the traffic of a running process from its metrics, which this machine can read. */
export async function checkTraffic({ dashboard, proxy }: Config): Promise<readonly Finding[]> {
  const listen = parseListenAddress(dashboard.listen);
  if (proxy === null || listen === null || listen.port === 0) return [];
  try {
    const answer = await fetch(`http://${urlHost(listen.host)}:${listen.port}/metrics`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = answer.ok ? await answer.text() : '';
    return [...readForwarding(text), ...readMissingEmails(text)];
  } catch {
    // No process is running, so there is no traffic to report.
    return [];
  }
}

function readForwarding(metrics: string): readonly Finding[] {
  if (!/^gatekeeper_untrusted_forwarding 1$/m.test(metrics)) return [];
  return [
    broken(
      'forwarding',
      'requests arrive with forwarding headers, but no proxy is trusted: all visitors seem to have the same IP address',
      'proxy: {trusted_proxies: [NETWORK OF YOUR PROXY], client_ip_header: x-forwarded-for}',
    ),
  ];
}

function readMissingEmails(metrics: string): readonly Finding[] {
  const lines = metrics.matchAll(
    /^gatekeeper_gate_missing_emails_total\{route="([^"]*)",fields="([^"]*)"\} (\d+)/gm,
  );
  return [...lines].map(([, route = '', fields = '', count = '']) =>
    warning(
      'email field',
      `${count} signups of route "${route}" have no email in the configured field; they have ${fields || 'no fields'}`,
      `write one of these fields as the email of route "${route}"`,
    ),
  );
}
