/** Total.js drops these from a body before it parses the body: `em\u0000ail` is `email`. */
const NUL = /\0|%00|\\u0000/g;
/** Converters of Zope and Plone (`email:string`), of which query-string also reads `email:list`. */
const CONVERTER =
  /^(?:list|tuple|int|float|long|boolean|bytes|json|date|required|default|ignore_empty|records?|method|action|u?(?:string|text|lines|tokens))$/;

/** Other readings of a name, without the text that some readers drop. Its callers exclude names without such text. */
export function withoutDroppedText(name: string): readonly string[] {
  const readings = [name.replace(NUL, ''), unescapedAgain(name), withoutConverters(name)];
  return readings.filter((reading) => reading !== name);
}

/** From the end, because a pattern for all of them takes quadratic time. */
function withoutConverters(name: string): string {
  let end = name.length;
  for (let colon = name.lastIndexOf(':'); colon > 0; colon = name.lastIndexOf(':', end - 1)) {
    if (!CONVERTER.test(name.slice(colon + 1, end))) break;
    end = colon;
  }
  return name.slice(0, end);
}

/** In JSON, half of an escaped backslash may stay, and begin another escape: `"\\u0000u0065mail"` is `email`. */
function unescapedAgain(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    const text: unknown = JSON.parse(JSON.stringify(name).replace(NUL, ''));
    return typeof text === 'string' ? text : name;
  } catch {
    return name;
  }
}
