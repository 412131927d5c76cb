/**
 * The rounds of a property: all of them with `CI=true`, and a quarter otherwise, because `npm test` is for every change.
 * Each run draws other input, so many short runs see as much as a long one.
 */
export function rounds(all: number): number {
  return process.env.CI ? all : Math.ceil(all / 4);
}
