import ava from 'ava';

/**
 * AVA starts all tests of a process at once. On a busy machine the first of a hundred servers then answers after minutes, and
 * limits inside of the program, such as those of a query, are over.
 */
const AT_ONCE = 4;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => T): Promise<Awaited<T>> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // The turn goes on to the next one.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The declaration of a test. Functions after the first one are its parameters, which run within its turn. */
function limited(declaration: readonly unknown[]): readonly unknown[] {
  const place = declaration.findIndex((argument) => typeof argument === 'function');
  const implementation = declaration[place];
  if (typeof implementation !== 'function') return declaration;
  return declaration.with(place, (...parameters: readonly unknown[]) =>
    inTurn(() => implementation(...parameters)),
  );
}

/** `test` of AVA, with few tests of a process at a time. Its other forms, such as `test.serial`, are those of AVA. */
const limitedTest = new Proxy(ava, {
  apply: (target, self, declaration) => Reflect.apply(target, self, limited(declaration)),
});

type Declare = (...declaration: readonly never[]) => unknown;
const declarations: (() => unknown)[] = [];

function collecting<T extends Declare>(form: T): T {
  return new Proxy(form, {
    apply: (target, self, declaration) =>
      void declarations.push(() => Reflect.apply(target, self, declaration)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' && name !== 'macro' ? collecting(value as Declare) : value;
    },
  });
}

/**
 * Hands all tests of a process that several suites share over to AVA. It accepts none after the tick of the first one, and a
 * suite may await its data at its top level.
 */
export function declareCollected(): void {
  for (const declare of declarations.splice(0)) declare();
}

/** The file that imports several suites. */
const isShared = ava.meta?.file.includes('/test/shared/') ?? false;
export default isShared ? collecting(limitedTest) : limitedTest;
