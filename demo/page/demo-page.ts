import { type Html, html } from '../../src/web/html.ts';
import { MODES, type ModeName } from '../modes.ts';
import type { Sender, SenderKind } from '../senders/senders.ts';
import { type ShopAccount, shopParts } from './shop-parts.ts';

export interface DemoPage {
  readonly accounts: readonly ShopAccount[];
  readonly senders: Readonly<Record<SenderKind, Sender>>;
  readonly mode: ModeName;
  /** As the browser names this server: `localhost:8000`. */
  readonly host: string;
  readonly isSignedIn: boolean;
}

/** Beside the pages: scripts and styles of this server only. */
export const DEMO_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["form-action 'self' http:", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** The shop on the left, and what its gate decides on the right. */
export function demoPage({ accounts, senders, mode, host, isSignedIn }: DemoPage): string {
  const buttons = Object.entries(senders).map(
    ([kind, { label, hint }]) =>
      html`<button type="button" data-sender="${kind}" data-hint="${hint}">${label}</button>`,
  );
  const modes = Object.entries(MODES).map(
    ([name, { label, effect, yaml }]) =>
      html`<label><input type="radio" name="mode" value="${name}" data-effect="${effect}" data-yaml="${yaml}"${name === mode ? html` checked` : ''}><span>${label}</span></label>`,
  );
  return page(
    'Gatekeeper demo',
    html`<header class="top">
<a class="brand" href="/"><img src="/static/icon.svg" alt="" width="24" height="24">Gatekeeper <span>demo</span></a>
<nav aria-label="Dashboard"><a href="/overview">Dashboard</a><a href="/decisions">Decisions</a><a href="/campaigns">Campaigns</a><a href="/mailbox">Mailbox</a></nav>
</header>
${isSignedIn ? '' : html`<p class="banner">You are not signed in. Open the link that the terminal shows: then every link here leads into the dashboard.</p>`}
<main>
<section class="window" aria-label="The sample shop">
<div class="bar" aria-hidden="true"><i></i><i></i><i></i><span>${host}</span></div>
${shopParts(accounts)}
</section>
<div class="gate">
<section class="card">
<h1>Send signups through the gate</h1>
<div class="senders">${buttons}</div>
<div class="result" role="status" data-result><p class="plain">Each button sends real requests. What happened to them appears here.</p></div>
<noscript><p>The buttons need JavaScript. The form of the shop works without.</p></noscript>
</section>
<section class="card">
<fieldset class="modes"><legend>How strict is it?</legend><div>${modes}</div></fieldset>
<div class="mode-effect"><p data-effect>${MODES[mode].effect}</p><pre data-yaml>${MODES[mode].yaml}</pre></div>
</section>
<section class="card live">
<div class="live-head"><h2>Live decisions</h2><p data-live>Live</p></div>
<div class="week"><dl data-totals></dl><svg data-days viewBox="0 0 160 56" role="img" aria-label="Decisions of each day of the last week"></svg></div>
<p class="note">The last seven days are simulated: made-up people, judged by the real judge. Rows without a mark are yours.</p>
<ol data-rows></ol>
</section>
</div>
</main>
<script src="/demo/page.js" defer></script>`,
  );
}

export function welcomePage(name: string): string {
  return page(
    'Welcome',
    html`<main class="alone"><section class="card"><h1>Welcome, ${name}</h1><p>Your account was created. <a href="/">Back to the shop</a></p></section></main>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/demo/style.css"></head><body>
${content}
</body></html>
`.html;
}
