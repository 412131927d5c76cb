const QUALITY = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The quality of an entry of `Accept` or `Accept-Language` (RFC 9110 section 12.4.2), 0 to 1. Without a quality it is 1;
 * an invalid one counts as 0.
 *
 * @param parameters The parameters of the entry in lower case, such as `q=0.8`.
 */
export function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return QUALITY.test(weight) ? Number(weight.slice(2)) : 0;
}
