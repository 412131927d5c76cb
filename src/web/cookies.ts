/**
 * The values of all cookies of that name, in their order.
 * @param cookies The `Cookie` header; undefined when there is none.
 */
export function cookieValues(cookies: string | undefined, name: string): readonly string[] {
  const start = `${name}=`;
  const pairs = cookies === undefined ? [] : cookies.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}
