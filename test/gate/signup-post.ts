/** A signup form as it goes over the wire. */
export function post(path: string, email: string, headers: readonly string[] = []): string {
  const body = `email=${encodeURIComponent(email)}`;
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: gate.example',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
