/** A signup with low risk: a mailbox at a large provider, a home network, a common browser. */
const SIGNUP = {
  email: 'jane.doe@gmail.com',
  ip_address: '2.125.160.216',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
};

/** A shell command that scores one signup with this key. */
export function curlExample(apiUrl: string, key: string): string {
  return [
    `curl -s ${apiUrl}/score-signup`,
    `-H 'X-API-Key: ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(SIGNUP)}'`,
  ].join(' ');
}
