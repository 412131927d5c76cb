/** The request for every proxy, byte for byte. */
export const GET_SMALL = get('/');
export const GET_10_KB = get('/10k');
export const POST_64_KB = post('/upload', 'application/octet-stream', 'u'.repeat(65_536));

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: shop.internal\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`;
}

export function post(path: string, type: string, body: string, headers: readonly string[] = []): string {
  const fixed = [
    'Host: shop.internal',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return [`POST ${path} HTTP/1.1`, ...fixed, ...headers, '', body].join('\r\n');
}
