import { decodePercent } from '../../gate/routes/path-variants.ts';

/** A signup form that was found in its page. */
export interface SignupForm {
  /** The path to which browsers send the form. */
  readonly path: string;
  /** The name of the field for the email. */
  readonly emailField: string;
  /** Whether a query names the form, as in `/login.php?action=register`: the path then has other forms too. */
  readonly sharesPath: boolean;
}

/** The limit of forms that are read. A normal page has fewer. */
const MAX_FORMS = 20;
const MAX_INPUTS = 200;
/** Browsers show nothing of it. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const SIGNUP = /sign-?_?up|register|registration|join|create-?_?account|enroll/i;

/**
 * Finds the signup form of a page: a form that is posted to the same site and has a field for an email. If several
 * forms match, a form with a password or with a typical path is preferred to a newsletter form. A form with a line break
 * in its path or name is left out: no route can name it.
 */
export function readSignupForm(html: string, pageUrl: string): SignupForm | null {
  const shown = html.replace(COMMENT, '');
  const forms = [...shown.matchAll(/<form\b([^>]*)>([\s\S]*?)(?:<\/form>|$)/gi)].slice(0, MAX_FORMS);
  const found = forms.flatMap(([, head = '', content = '']) => {
    const inputs = [...content.matchAll(/<input\b([^>]*)>/gi)]
      .slice(0, MAX_INPUTS)
      .map(([, text = '']) => attributesOf(text));
    const emailField = emailFieldOf(inputs);
    const { action = '', method = 'get' } = attributesOf(head);
    if (emailField === null || method.toLowerCase() !== 'post' || !URL.canParse(action, pageUrl)) return [];
    const target = new URL(action, pageUrl);
    if (target.origin !== new URL(pageUrl).origin) return [];
    const path = decodePercent(target.pathname);
    if (/\p{Cc}/u.test(path + emailField)) return [];
    const hasPassword = inputs.some(({ type }) => type === 'password');
    const weight = Number(hasPassword) + Number(SIGNUP.test(`${target.pathname}${target.search}`));
    const sharesPath = target.search !== '';
    return [{ weight, form: { path, emailField, sharesPath } }];
  });
  const [best] = found.sort((a, b) => b.weight - a.weight);
  return best?.form ?? null;
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
