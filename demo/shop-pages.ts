import type { VISITORS } from './visitors.ts';

/** An account of the shop, with the gate's result for its signup. */
export interface ShopAccount {
  readonly name: string;
  readonly email: string;
  readonly score: number;
  readonly riskLevel: string;
  readonly verified: boolean;
}

interface ShopPage {
  readonly accounts: readonly ShopAccount[];
  readonly visitors: typeof VISITORS;
  readonly dashboardUrl: string;
}

export function shopPage({ accounts, visitors, dashboardUrl }: ShopPage): string {
  const buttons = Object.entries(visitors).map(
    ([kind, { label }]) =>
      `<form method="post" action="/visitors/${kind}"><button>${escaped(label)}</button></form>`,
  );
  const rows = accounts.map(
    ({ name, email, score, riskLevel, verified }) =>
      `<tr><td>${escaped(name)}</td><td>${escaped(email)}</td><td>${score}</td><td>${escaped(riskLevel)}</td><td>${verified ? 'yes' : 'no'}</td></tr>`,
  );
  return page(
    'The sample shop',
    `<h1>The sample shop</h1>
<p>This shop accepts every signup that it receives. Gatekeeper is a proxy in front of the shop, on this address.</p>
<form class="signup" method="post" action="/signup">
<label>Name <input name="name" autocomplete="name"></label>
<label>Email <input name="email" type="email" required autocomplete="email"></label>
<button>Sign up</button>
</form>
<p>Try <code>jane.doe@gmail.com</code> (forwarded), <code>jane.doe@gamil.com</code> (misspelled domain: verification; the mail is in the
<a href="${dashboardUrl}/mailbox">mailbox</a>) and <code>jane@mailinator.com</code> (blocked).</p>
<h2>Send sample signups</h2>
<div class="row">${buttons.join('')}</div>
<h2>Accounts of the shop</h2>
${rows.length === 0 ? '<p>None yet.</p>' : `<table><tr><th>Name</th><th>Email</th><th>Score</th><th>Risk</th><th>Verified</th></tr>${rows.join('')}</table>`}
<p><a href="${dashboardUrl}/decisions">Show the decisions of the gate</a></p>`,
  );
}

export function thanksPage(name: string): string {
  return page(
    'Welcome',
    `<h1>Welcome, ${escaped(name)}</h1><p>Your account was created. <a href="/">Back to the shop</a></p>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
label{display:block;margin-bottom:.75rem}input{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.4rem}
button{font:inherit;padding:.4rem .8rem}.row{display:flex;flex-wrap:wrap;gap:.5rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}td,th{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #8888;overflow-wrap:anywhere}
</style></head><body>
${content}
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
