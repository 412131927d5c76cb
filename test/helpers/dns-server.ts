import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';

/** What the server says of one name: records by type, or how it fails. A name not mentioned does not exist. */
export type Zone =
  | 'silent'
  | 'servfail'
  | 'nxdomain'
  | { readonly mx?: readonly string[]; readonly a?: readonly string[] };

export interface DnsServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** `MX example.com`, in the order of arrival. */
  readonly questions: readonly string[];
  /** Whether it answers at all. */
  silent: boolean;
  /** Questions are kept unanswered until `release`. */
  held: boolean;
  release(): void;
  close(): Promise<void>;
}

const TYPES = { A: 1, NS: 2, MX: 15, AAAA: 28 } as const;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/**
 * A name server on loopback that speaks real packets (RFC 1035). A zone's `mx` are `10 mx.example` texts, its `a`
 * addresses of either family. The root has a name server unless it is a zone here.
 */
export async function startDnsServer(zones: Readonly<Record<string, Zone>>): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  let waiting: (() => void)[] = [];
  const server = {
    address: '',
    questions,
    silent: false,
    held: false,
    release() {
      for (const answer of waiting) answer();
      waiting = [];
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (packet, peer) => {
    const question = readQuestion(packet);
    questions.push(`${question.type} ${question.name}`);
    const zone = zones[question.name] ?? (question.name === '.' ? {} : 'nxdomain');
    if (server.silent || zone === 'silent') return;
    const answer = () => socket.send(answerTo(packet, question, zone), peer.port, peer.address);
    if (server.held) waiting.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

interface Question {
  readonly name: string;
  readonly type: string;
  /** Where the question section ends. */
  readonly end: number;
}

function readQuestion(packet: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = packet.readUInt16BE(at + 1);
  const type = Object.entries(TYPES).find(([, known]) => known === code)?.[0] ?? `TYPE${code}`;
  return { name: labels.join('.').toLowerCase() || '.', type, end: at + 5 };
}

function answerTo(packet: Buffer, question: Question, zone: Exclude<Zone, 'silent'>): Buffer {
  const records = typeof zone === 'string' ? [] : recordsFor(question, zone);
  const header = Buffer.alloc(12);
  packet.copy(header, 0, 0, 2);
  const failure = zone === 'servfail' ? SERVFAIL : zone === 'nxdomain' ? NXDOMAIN : 0;
  header.writeUInt16BE(0x8180 | failure, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, packet.subarray(12, question.end), ...records]);
}

function recordsFor(
  { name, type }: Question,
  zone: { mx?: readonly string[]; a?: readonly string[] },
): Buffer[] {
  if (name === '.' && type === 'NS') return [record('NS', encodeName('a.root-servers.net'))];
  if (type === 'MX') return (zone.mx ?? []).map((text) => record('MX', encodeMx(text)));
  const addresses = (zone.a ?? []).filter((text) => isIPv4(text) === (type === 'A'));
  return type === 'A' || type === 'AAAA' ? addresses.map((text) => record(type, encodeAddress(text))) : [];
}

/** A resource record about the name asked for: a pointer to offset 12, class IN, a minute to live. */
function record(type: keyof typeof TYPES, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TYPES[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodeMx(text: string): Buffer {
  const [priority = '0', exchange = '.'] = text.split(' ');
  const head = Buffer.alloc(2);
  head.writeUInt16BE(Number(priority));
  return Buffer.concat([head, encodeName(exchange)]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.alloc(1),
  ]);
}

function encodeAddress(text: string): Buffer {
  const words = parseIpAddress(text)?.words ?? [];
  const data = Buffer.alloc(4 * words.length);
  words.forEach((word, i) => {
    data.writeUInt32BE(word, 4 * i);
  });
  return data;
}
