import { pageOfQwik, pageOfRouter } from '../web/library-answers.ts';

/**
 * Rewrites the header of an app's answer to a replayed signup. The browser requested a path below
 * `/.gatekeeper/verify/`, not the path of the signup. So it would send a cookie without `Path` only to the verification
 * pages (RFC 6265 section 5.1.4), and would resolve a relative `Location` there. Therefore both are made absolute.
 * An app answers htmx, Inertia and Next.js with a redirect that browsers do not know; they get a `Refresh` in addition.
 * @param headers The header fields: name, value, name, value, …
 * @param path of the request that the app received, with its query.
 */
export function replayedAnswerHeaders(headers: readonly string[], path: string): string[] {
  const rewritten: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', text = ''] = [headers[i], headers[i + 1]];
    rewritten.push(name, ...rewriteField(name, text, path));
  }
  const page = pageAfterAction(headers, path);
  return page === null ? rewritten : [...rewritten, 'Refresh', `0; url=${page}`];
}

/**
 * The page that follows the data with which Next.js, React Router and Qwik answer a form, since no browser shows it: the one that
 * an action of Next.js names, or else that of the form. Null for other answers.
 */
function pageAfterAction(headers: readonly string[], path: string): string | null {
  const fieldOf = (name: string) =>
    headers.find((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name);
  // A word behind the URL says what becomes of the history.
  const [named] = fieldOf('x-action-redirect')?.split(';', 1) ?? [];
  // The script of Next.js resolves a leading dot below the page.
  if (named !== undefined) return inFull(named, named.startsWith('.') ? asFolder(path) : path);
  const ofNext = fieldOf('content-type')?.startsWith('text/x-component') ? path : null;
  const page = fieldOf('x-remix-response') === undefined ? (ofNext ?? pageOfQwik(path)) : pageOfRouter(path);
  return page && onThisSite(page);
}

/** The path of the signup comes from its sender. Two slashes would begin the name of another site. */
function onThisSite(path: string): string {
  return path.replace(/^[/\\]+/, '/');
}

/** The new value, and further fields. */
function rewriteField(name: string, text: string, path: string): readonly string[] {
  switch (name.toLowerCase()) {
    case 'set-cookie':
      return [withPath(text, path)];
    case 'location':
      // The app leads the script of Qwik to the data of the next page.
      return [inFull(pageOfQwik(path) === null ? text : (pageOfQwik(text) ?? text), path)];
    case 'hx-redirect':
    case 'x-inertia-location':
      return [text, 'Refresh', `0; url=${inFull(text, path)}`];
    case 'hx-location':
      // Its other form is JSON, with the place in the page that gets the content.
      return text.startsWith('{') ? [text] : [text, 'Refresh', `0; url=${inFull(text, path)}`];
    default:
      return [text];
  }
}

function withPath(cookie: string, path: string): string {
  const paths = cookie.split(';').flatMap((attribute, i) => {
    const [name = '', value = ''] = attribute.split('=', 2).map((part) => part.trim());
    return i > 0 && name.toLowerCase() === 'path' ? [value] : [];
  });
  // The last `Path` counts. A `Path` without a leading slash is ignored.
  return paths.at(-1)?.startsWith('/') ? cookie : `${cookie}; Path=${defaultPath(path)}`;
}

function defaultPath(path: string): string {
  const [bare = ''] = path.split(/[?#]/, 1);
  const directory = bare.slice(0, bare.lastIndexOf('/'));
  // A semicolon would end the attribute.
  return directory.startsWith('/') && !directory.includes(';') ? directory : '/';
}

function asFolder(path: string): string {
  const [bare = ''] = path.split(/[?#]/, 1);
  return bare.endsWith('/') ? bare : `${bare}/`;
}

function inFull(location: string, path: string): string {
  if (
    location.startsWith('/') ||
    /^[a-z][\w+.-]*:/i.test(location) ||
    !URL.canParse(location, `http://app${path}`)
  ) {
    return location;
  }
  const url = new URL(location, `http://app${path}`);
  return onThisSite(`${url.pathname}${url.search}${url.hash}`);
}
