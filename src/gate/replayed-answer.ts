/**
 * Rewrites the header of an app's answer to a replayed signup. The browser requested a path below
 * `/.gatekeeper/verify/`, not the path of the signup. So it would send a cookie without `Path` only to the verification
 * pages (RFC 6265 section 5.1.4), and would resolve a relative `Location` there. Therefore both are made absolute.
 * @param headers The header fields: name, value, name, value, …
 * @param path of the request that the app received, with its query.
 */
export function replayedAnswerHeaders(headers: readonly string[], path: string): string[] {
  return headers.map((text, i) => {
    const name = headers[i - 1];
    if (i % 2 === 0 || name === undefined) return text;
    if (name.length === 10 && name.toLowerCase() === 'set-cookie') return withPath(text, path);
    return name.length === 8 && name.toLowerCase() === 'location' ? inFull(text, path) : text;
  });
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

function inFull(location: string, path: string): string {
  if (
    location.startsWith('/') ||
    /^[a-z][\w+.-]*:/i.test(location) ||
    !URL.canParse(location, `http://app${path}`)
  ) {
    return location;
  }
  const url = new URL(location, `http://app${path}`);
  return `${url.pathname}${url.search}${url.hash}`;
}
