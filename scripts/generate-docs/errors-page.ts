import { PROBLEMS, type ProblemCode } from '../../src/http/problem.ts';
import { GUIDANCE } from './problem-guidance.ts';
import { table } from './table.ts';

/** `docs/errors.md`: one section for each problem code, in the order of their status. */
export function errorsPage(): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const rows = codes.map((code) => [
    `[\`${code}\`](#${code})`,
    String(PROBLEMS[code].status),
    PROBLEMS[code].title,
  ]);
  return [INTRODUCTION, ...table(['code', 'status', 'title'], rows), '', codes.map(section).join('\n')].join(
    '\n',
  );
}

const INTRODUCTION = `<!-- Generated from src/http/problem.ts by scripts/generate-docs.ts -->
# Errors

Every refusal is a problem document (RFC 9457, \`application/problem+json\`), except where the gate answers a browser with a
page. Codes are public API: a code is never renamed and never gets another meaning. Branch on \`code\`, not on \`title\` or
\`detail\`.

The member \`type\` is \`urn:gatekeeper:problem:<code>\`. It is a name, not an address: the section with that code is below.

\`\`\`json
{
  "type": "urn:gatekeeper:problem:quota_exceeded",
  "title": "${PROBLEMS.quota_exceeded.title}",
  "status": ${PROBLEMS.quota_exceeded.status},
  "detail": "The plan allows 1000 requests a month.",
  "code": "quota_exceeded",
  "request_id": "0d4ff2c0-0000-7000-8000-000000000000"
}
\`\`\`

Some codes add members: \`errors\` (the bad fields), \`verification_url\`, \`expires_at\`, \`tries_left\`.
`;

function section(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const { when, remedy } = GUIDANCE[code];
  return [
    `## \`${code}\``,
    '',
    `**Status ${status}.** ${title}`,
    '',
    `**When:** ${when}`,
    '',
    `**What to do:** ${remedy}`,
    '',
  ].join('\n');
}
