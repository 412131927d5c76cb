import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Sends one request and reads its whole answer. */
export function ask(url: string, options: RequestOptions = {}, body?: Buffer | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const problemOf = ({ body }: Answer): { code: string; request_id: string } =>
  JSON.parse(body.toString());
