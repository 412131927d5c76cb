import { domainToUnicode } from 'node:url';
import type { SiteConfig } from '../config/config.ts';
import { type BrandColours, brandColours } from './brand-colours.ts';
import { fillText } from './fill-text.ts';
import type { Language } from './languages.ts';
import { type Logo, readLogo } from './logo.ts';
import { type PageStyle, type PageStyleOptions, pageStyle } from './page-style.ts';
import type { Translation } from './translation.ts';
import { mapTexts, translationIn } from './translations.ts';

/** The look and the words of a site on the pages and mails that its visitors see: the setting `site`. */
export interface Site {
  /** Null when the host of the gate's public URL is used as the name. */
  readonly name: string | null;
  readonly logo: Logo | null;
  readonly colours: BrandColours | null;
  readonly contact: Contact | null;
  /** The texts in a language, with the operator's own texts, and with the name of the site in place of `{site}`. */
  textsIn(language: Language, publicUrl: string | null): Translation;
  /** The style of a page; made once. */
  styleOf(options: PageStyleOptions): PageStyle;
}

/** The way in which visitors can contact the owner of the site. */
export interface Contact {
  /** A mailbox or a URL, as configured. */
  readonly text: string;
  readonly isMailbox: boolean;
}

/** The operator's own texts by language, then by name. */
type OwnTexts = Readonly<Record<Language, Readonly<Record<string, string>>>>;

/** More languages and public URLs than a site has: a public URL is configured, and never comes from a request. */
const MAX_CACHED_TEXTS = 200;

/** The site of a configuration without `site`. */
export const UNNAMED_SITE: Site = createSite({ name: null, logo: null, colours: null, contact: null }, {});

/** @throws Error that names the logo, when it cannot be used. */
export async function openSite({ name, logo, colour, contact, texts }: SiteConfig): Promise<Site> {
  return createSite(
    {
      name,
      logo: logo === null ? null : await readLogo(logo),
      colours: colour === null ? null : brandColours(colour),
      contact: contact === null ? null : { text: contact, isMailbox: !/^https?:/i.test(contact) },
    },
    texts,
  );
}

/** The name of a site in texts. Without a public URL, a page names no host. An international host has its own letters. */
export function nameOfSite({ name }: Pick<Site, 'name'>, publicUrl: string | null): string {
  if (name !== null || publicUrl === null) return name ?? '';
  const { host, hostname, port } = new URL(publicUrl);
  const readable = domainToUnicode(hostname);
  if (readable === '') return host;
  return port === '' ? readable : `${readable}:${port}`;
}

/**
 * The link to the contact of a site.
 * @param reference The subject of a mail; null when there is no decision.
 */
export function contactUrl({ text, isMailbox }: Contact, reference: string | null): string {
  if (!isMailbox) return text;
  const mailbox = `mailto:${encodeURIComponent(text).replace('%40', '@')}`;
  return reference === null ? mailbox : `${mailbox}?subject=${encodeURIComponent(reference)}`;
}

function createSite(parts: Pick<Site, 'name' | 'logo' | 'colours' | 'contact'>, ownTexts: OwnTexts): Site {
  const texts = new Map<string, Translation>();
  const styles = new Map<string, PageStyle>();
  return {
    ...parts,
    textsIn(language, publicUrl) {
      const site = nameOfSite(parts, publicUrl);
      const key = `${language} ${site}`;
      const known = texts.get(key);
      if (known) return known;
      const own = ownTexts[language] ?? {};
      const made = mapTexts(translationIn(language), (text, name) =>
        fillText(Object.hasOwn(own, name) ? (own[name] ?? text) : text, { site }),
      );
      if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
      texts.set(key, made);
      return made;
    },
    styleOf(options) {
      const key = `${options.sheet} ${options.formAction}`;
      const style = styles.get(key) ?? pageStyle({ ...options, ...parts });
      styles.set(key, style);
      return style;
    },
  };
}
