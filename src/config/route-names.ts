/** With a suffix still within the 100 characters of a name, whatever the alphabet. */
const MAX_CHARACTERS = 45;

/**
 * Gives routes without a name one that is made of their path: `/users/:id/register` is `users-id-register`, `/` is `root`.
 * A name that another route has gets a number, in the order of the file. Names that the file gives are never changed.
 */
export function nameRoutes<Route>(routes: readonly Route[]): readonly Route[] {
  if (!Array.isArray(routes)) return routes;
  const taken = new Set(routes.map((route) => String(route?.name).toLowerCase()));
  return routes.map((route) => {
    if (typeof route !== 'object' || route === null || route.name !== null) return route;
    const base = nameOf(String(route.path));
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    return { ...route, name };
  });
}

function nameOf(path: string): string {
  if (path === '/') return 'root';
  const words = path
    .toLowerCase()
    .replaceAll('**', ' all ')
    .replaceAll('*', ' any ')
    .replace(/[^\p{L}\p{N}._~]+/gu, '-');
  const name = [...words.replace(/^[-.]+/, '')].slice(0, MAX_CHARACTERS).join('');
  return name.replace(/[-.]+$/, '') || 'route';
}
