import { decodePercent } from '../../gate/routes/path-variants.ts';

/** A signup form that was found in its page. */
export interface SignupForm {
  /** The path to which browsers send the form. */
  readonly path: string;
  /** The name of the field for the email. */
  readonly emailField: string;
  /** Whether the path has other forms: the page has one, or a query names the form (`/login.php?action=register`). */
  readonly sharesPath: boolean;
}

/** The limit of forms that are read. A normal page has fewer. */
const MAX_FORMS = 20;
const MAX_INPUTS = 200;
/** Browsers show nothing of it. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** The attributes of a tag. A `>` in quotes does not end the tag, and quotes count only after `=`. */
const ATTRIBUTES = String.raw`((?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["']))*)`;
const FORM = new RegExp(String.raw`<form\b${ATTRIBUTES}>([\s\S]*?)(?:</form>|$)`, 'gi');
const INPUT = new RegExp(String.raw`<input\b${ATTRIBUTES}>`, 'gi');
const BASE = new RegExp(String.raw`<base\b${ATTRIBUTES}>`, 'gi');
const SIGNUP = /sign-?_?up|register|registration|join|create-?_?account|enroll/i;

/**
 * Finds the signup form of a page: a form that is posted to the same site and has a field for an email. If several
 * forms match, a form with a password or with a typical path or name is preferred to a newsletter form. A form with a
 * line break in its path or name is left out: no route can name it.
 */
export function readSignupForm(html: string, pageUrl: string): SignupForm | null {
  const forms = findPostedForms(html.replace(COMMENT, ''), pageUrl);
  const found = forms.flatMap(({ path, query, called, inputs }) => {
    const emailField = emailFieldOf(inputs);
    if (emailField === null || /\p{Cc}/u.test(path + emailField)) return [];
    const hasPassword = inputs.some(({ type }) => type === 'password');
    // Newsletters too are called `newsletter-signup`, so what a form is called only decides between equal forms.
    const weight =
      2 * Number(hasPassword) + 2 * Number(SIGNUP.test(path + query)) + Number(SIGNUP.test(called));
    const isOther = (form: PostedForm) =>
      form.path === path && form.inputs.every(({ name }) => name !== emailField);
    const sharesPath = query !== '' || forms.some(isOther);
    return [{ weight, form: { path, emailField, sharesPath } }];
  });
  const [best] = found.sort((a, b) => b.weight - a.weight);
  return best?.form ?? null;
}

interface PostedForm {
  readonly path: string;
  readonly query: string;
  /** Its id, class and name. */
  readonly called: string;
  readonly inputs: readonly Attributes[];
}

/** The forms that are posted to the site of the page. */
function findPostedForms(html: string, pageUrl: string): readonly PostedForm[] {
  const { origin } = new URL(pageUrl);
  const baseUrl = baseOf(html, pageUrl);
  return [...html.matchAll(FORM)].slice(0, MAX_FORMS).flatMap(([, head = '', content = '']) => {
    const { action = '', method = 'get', id = '', class: classes = '', name = '' } = attributesOf(head);
    const base = action === '' ? pageUrl : baseUrl;
    if (method.toLowerCase() !== 'post' || !URL.canParse(action, base)) return [];
    const target = new URL(action, base);
    if (target.origin !== origin) return [];
    const inputs = [...content.matchAll(INPUT)]
      .slice(0, MAX_INPUTS)
      .map(([, text = '']) => attributesOf(text));
    const called = `${id} ${classes} ${name}`;
    return [{ path: decodePercent(target.pathname), query: target.search, called, inputs }];
  });
}

/** The URL to which the actions of a page are relative. */
function baseOf(html: string, pageUrl: string): string {
  for (const [, text = ''] of html.matchAll(BASE)) {
    const { href } = attributesOf(text);
    if (href !== undefined) return URL.canParse(href, pageUrl) ? new URL(href, pageUrl).href : pageUrl;
  }
  return pageUrl;
}

type Attributes = Readonly<Record<string, string>>;

function emailFieldOf(inputs: readonly Attributes[]): string | null {
  const named = inputs.filter(({ name }) => name !== undefined && name !== '');
  const typed = named.find(({ type }) => type?.toLowerCase() === 'email');
  const called = named.find(({ type, name = '' }) => type !== 'hidden' && /mail/i.test(name));
  return (typed ?? called)?.name ?? null;
}

function attributesOf(text: string): Attributes {
  const pairs = text.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, single, bare]) => [
      name.toLowerCase(),
      decodeEntities(quoted ?? single ?? bare ?? ''),
    ]),
  );
}

const NAMED_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['lsqb', '['],
  ['rsqb', ']'],
]);
const ENTITY = /&(?:#x([\da-f]{1,4})|#(\d{1,5})|(\w{2,4}));/gi;

/** Some template engines write brackets as numbers: `user&#x5B;email&#x5D;`. */
function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return NAMED_CHARACTERS.get(name) ?? entity;
  });
}
