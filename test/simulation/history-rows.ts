export const HEADER = 'time,email,ip_address,user_agent,label';
export const csv = (...rows: readonly string[]) => [HEADER, ...rows, ''].join('\n');
export const row = (second: number, email = 'jane@example.org') =>
  `2026-11-21T10:30:${String(second).padStart(2, '0')}Z,${email},198.51.100.7,curl/8,`;
