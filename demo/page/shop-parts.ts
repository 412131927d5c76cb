import { type Html, html } from '../../src/web/html.ts';

/** An account of the shop, with the gate's result for its signup. */
export interface ShopAccount {
  readonly name: string;
  readonly score: number;
  readonly verified: boolean;
}

const PRODUCTS = [
  { name: 'Morning Fjord', notes: 'Hazelnut, cocoa', price: '€ 12.50', colour: 'bag-1' },
  { name: 'Midnight Pine', notes: 'Dark plum, spice', price: '€ 13.90', colour: 'bag-2' },
  { name: 'Slow Sunday', notes: 'Peach, honey', price: '€ 14.20', colour: 'bag-3' },
];

/** The sample shop: its window, its signup form and its newest customers. */
export function shopParts(accounts: readonly ShopAccount[]): Html {
  return html`<div class="shop">
<header><span class="shop-name">Nordlys Coffee</span><span class="shop-menu"><span>Beans</span><span>Brewing</span><span>Our roastery</span></span></header>
<section class="hero"><div><h2>Coffee, roasted on the day it leaves us.</h2><p>Small batches, three friends, one old drum roaster.</p></div>${cup()}</section>
<ul class="products">${PRODUCTS.map(product)}</ul>
<section class="join">
<h2>Join and get 10 % off</h2>
<form method="post" action="/signup" data-signup>
<label>Name <input name="name" autocomplete="name" required maxlength="80" placeholder="Ada Lovelace"></label>
<label>Email <input name="email" type="email" autocomplete="email" required maxlength="254" placeholder="ada@gmail.com"></label>
<button>Sign up</button>
</form>
<div class="answer" role="status" data-answer hidden></div>
<p class="try">Try <button type="button" data-try="ada.lovelace@gmail.com">ada.lovelace@gmail.com</button> <button type="button" data-try="ada.lovelace@gmial.com">ada.lovelace@gmial.com</button> <button type="button" data-try="ada@mailinator.com">ada@mailinator.com</button></p>
</section>
<footer><strong>Newest customers</strong> <span data-customers>${customers(accounts)}</span></footer>
</div>`;
}

/** One line: the first names of the newest accounts. */
export function customers(accounts: readonly ShopAccount[]): string {
  if (accounts.length === 0) return 'none yet today';
  return accounts
    .slice(0, 6)
    .map(({ name, verified }) => (verified ? `${name} (mailbox confirmed)` : name))
    .join(', ');
}

function product({ name, notes, price, colour }: (typeof PRODUCTS)[number]): Html {
  return html`<li><svg viewBox="0 0 60 76" class="${colour}" aria-hidden="true"><path d="M10 14 14 4h32l4 10v54a5 5 0 0 1-5 5H15a5 5 0 0 1-5-5z"/><path class="fold" d="M10 14h40l-4-10H14z"/><rect class="label" x="18" y="30" width="24" height="26" rx="3"/><path class="bean" d="M30 36c5 3 5 12 0 15-5-3-5-12 0-15z"/></svg><strong>${name}</strong><span>${notes}</span><span>${price}</span></li>`;
}

function cup(): Html {
  return html`<svg viewBox="0 0 120 100" class="cup" aria-hidden="true"><path class="steam" d="M44 30c-6-8 6-12 0-20M60 28c-6-8 6-12 0-20M76 30c-6-8 6-12 0-20"/><path d="M26 40h68v16a30 30 0 0 1-30 30h-8a30 30 0 0 1-30-30z"/><path class="handle" d="M94 46h6a11 11 0 0 1 0 22h-9"/><ellipse class="coffee" cx="60" cy="41" rx="34" ry="6"/><rect x="18" y="89" width="84" height="6" rx="3"/></svg>`;
}
