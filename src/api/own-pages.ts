import type { IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
import { type Html, html } from '../web/html.ts';
import { pageStyle } from '../web/page-style.ts';
import { prefersHtml, VARY_OF_PREFERENCE } from '../web/prefers-html.ts';
import { openApiDocument } from './openapi.ts';
import { renderReference } from './reference-page.ts';

/** The pages of the API's listener. If the gate shares this listener, these paths belong to the app. */
export type OwnPages = Readonly<Record<string, (request: IncomingMessage) => Reply>>;

const STYLE = pageStyle({ sheet: 'reference.css', formAction: "'none'" });
const WELCOME = {
  name: 'Gatekeeper',
  score: 'POST /score-signup',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/livez',
};

/** The pages by their path. The reference page is rendered at its first request. */
export function createOwnPages(): OwnPages {
  let reference: Reply | null = null;
  return {
    '/': ({ headers }) =>
      prefersHtml(headers)
        ? page('Gatekeeper', welcome())
        : {
            status: 200,
            headers: ['Content-Type', 'application/json', 'Vary', VARY_OF_PREFERENCE],
            body: JSON.stringify(WELCOME),
          },
    '/docs': () => {
      reference ??= page('Gatekeeper API', renderReference(openApiDocument()));
      return reference;
    },
  };
}

function welcome(): Html {
  return html`<h1>Gatekeeper</h1>
<p>This is the API that scores signups: <code>POST /score-signup</code> with a key in <code>X-API-Key</code>.</p>
<ul>
<li><a href="/docs">/docs</a>: all routes, fields and errors</li>
<li><a href="/openapi.json">/openapi.json</a>: the same for programs</li>
<li><a href="/livez">/livez</a> and <a href="/readyz">/readyz</a>: health</li>
</ul>
<p>Keys, decisions and settings are in the dashboard. Its address is in the output of the start.</p>`;
}

function page(title: string, content: Html): Reply {
  const { html: body } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: STYLE.css }}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return {
    status: 200,
    headers: [
      ...['Content-Type', 'text/html; charset=utf-8', 'Content-Language', 'en', 'Vary', VARY_OF_PREFERENCE],
      ...[
        'Content-Security-Policy',
        STYLE.policy,
        'X-Frame-Options',
        'SAMEORIGIN',
        'Referrer-Policy',
        'no-referrer',
      ],
    ],
    body,
  };
}
