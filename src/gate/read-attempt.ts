import type { IncomingMessage } from 'node:http';
import { parseIpAddress } from '../addresses/ip-address.ts';
import { parseMailbox } from '../addresses/mailbox.ts';
import { type Attempt, createAttempt, type EmailReading } from '../assessment/attempt.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import { clientAddress } from '../http/client-address.ts';
import { peerAddress } from '../http/proxy-protocol.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import type { Signup } from './signup-body/read-signup.ts';
import type { Visit } from './visit.ts';

/** Velocity of all routes is counted together: a campaign does not care which form it fills in. */
const GATE_SCOPE = 'gate';
/** As at the API. */
const MAX_USER_AGENT_CHARACTERS = 2_048;

/**
 * The facts of a signup that came through the gate.
 *
 * @throws {BodyAbortedError} when the connection is gone, and with it the sender's address.
 */
export function readAttempt(visit: Visit, { route, email }: Signup, pseudonymize: Pseudonymize): Attempt {
  const { request, requestId, receivedAt, settings } = visit;
  const socketAddress = parseIpAddress(peerAddress(request.socket));
  if (!socketAddress) throw new BodyAbortedError('The sender went away before the signup was judged.');
  const { trustedProxies, clientIpHeader } = settings.trust;
  const { rawHeaders } = request;
  return createAttempt(
    {
      requestId,
      receivedAt,
      door: 'gate',
      scope: GATE_SCOPE,
      route: route.name,
      email: readEmail(email),
      ip: clientAddress({ socketAddress, trustedProxies, header: clientIpHeader, rawHeaders }),
      userAgent: request.headers['user-agent']?.trim().slice(0, MAX_USER_AGENT_CHARACTERS) || null,
      headers: pairsOf(request),
    },
    pseudonymize,
  );
}

function readEmail(email: string | null): EmailReading {
  if (email === null) return { mailbox: null, problem: 'missing' };
  const mailbox = parseMailbox(email);
  return mailbox ? { mailbox } : { mailbox: null, problem: 'syntax' };
}

function pairsOf({ rawHeaders }: IncomingMessage): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return pairs;
}
