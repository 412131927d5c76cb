/** Scripts whose letters look like those of Latin or of each other. Mixed within one label they deceive. */
const CONFUSABLE_SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** Cyrillic and Greek letters that no reader tells from ASCII ones: a word of them alone poses as an ASCII word. */
const LOOK_ALIKES = /^[асԁеһіјӏоԛѕѵхуԝрҽυονιραАВЕКМНОРСТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ0-9._-]+$/u;
/** Countries where such words are plain words, and international suffixes, under which nothing poses as ASCII. */
const HOME_SUFFIXES = /\.(?:ru|su|ua|by|bg|kz|kg|mk|mn|rs|me|ba|md|tj|uz|ge|am|gr|cy|eu|xn--[a-z0-9-]+)$/;

/**
 * Whether a text poses as one it is not: a label that mixes scripts which look alike, one of Cyrillic or Greek
 * letters that all look like ASCII (outside the countries where these are ordinary words), or letters that are drawn
 * like ASCII ones (full-width, mathematical). A text in one script of its own stays clean, and so does Latin beside
 * Japanese, Chinese, Korean or any script that it cannot be taken for (UTS 39 section 5.2).
 *
 * @param text A local part or the Unicode form of a domain's labels.
 * @param suffix The domain's suffix as A-labels with a dot before it, to tell whose words these may be.
 */
export function hasLookAlikeLetters(text: string, suffix: string): boolean {
  if (isPrintableAscii(text)) return false;
  if (isPrintableAscii(text.normalize('NFKC'))) return true;
  return text.split(/[.@_+-]/u).some((word) => {
    if (CONFUSABLE_SCRIPTS.filter((script) => script.test(word)).length > 1) return true;
    return LOOK_ALIKES.test(word) && !isPrintableAscii(word) && !HOME_SUFFIXES.test(suffix);
  });
}

function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
