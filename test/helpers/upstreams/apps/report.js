/**
 * What an app's signup handler read, and what it was told about it, in a field of the answer. Every app here, in whatever
 * language, answers with this field.
 *
 * @param {Record<string, string | string[] | undefined>} headers of the request, names in lower case
 * @param {unknown} email as the app's own body parser gave it
 */
export function report(headers, email) {
  const text = typeof email === 'string' ? email : email === undefined ? null : JSON.stringify(email);
  return encodeURIComponent(
    JSON.stringify({
      email: text,
      assertion: headers['x-gatekeeper-assertion'] ?? null,
      judged: headers['x-judged-email'] ?? null,
    }),
  );
}
