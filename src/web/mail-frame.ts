import { type Html, html } from './html.ts';
import type { Language } from './languages.ts';
import type { Logo } from './logo.ts';
import { contactUrl, nameOfSite, type Site } from './site.ts';
import type { Translation } from './translation.ts';

export interface MailContent {
  readonly language: Language;
  readonly site: Site;
  /** The public URL of the sender of the mail. Its host is the name of a site that has no configured name. */
  readonly publicUrl: string;
  readonly subject: string;
  /** Its beginning is the text that a list of mails shows beside the subject. */
  readonly content: Html;
  readonly contact: ContactLine | null;
}

export interface FramedMail {
  readonly html: string;
  /** The pictures of the mail. The HTML shows each as `cid:` and its id. */
  readonly pictures: readonly { readonly id: string; readonly type: string; readonly bytes: Buffer }[];
}

export interface ContactLine {
  readonly text: string;
  readonly html: Html;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ACCENT = { light: '#0b4f9e', dark: '#9cc7ff', ground: '#0b4f9e', onGround: '#ffffff' } as const;
/** The types of pictures that mail programs show. */
const MAIL_PICTURES: ReadonlySet<Logo['type']> = new Set(['image/png', 'image/jpeg', 'image/gif']);
const LOGO_ID = 'logo@gatekeeper';

/**
 * The HTML of a mail, and its pictures. Styles are inline and the layout is a table, since many mail programs know no
 * others. The logo is part of the mail, so opening the mail loads nothing, and the sender does not notice it. No text is
 * hidden: spam filters count hidden text (SpamAssassin: 2.7 of 5 points).
 */
export function mailFrame(mail: MailContent): FramedMail {
  const { language, site, subject, content, contact } = mail;
  const accent = site.colours ?? ACCENT;
  const logo = site.logo !== null && MAIL_PICTURES.has(site.logo.type) ? site.logo : null;
  const page = html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
.ground { background-color: #14171c !important; }
.surface { background-color: #1c2027 !important; color: #e8ebf0 !important; }
.code { background-color: #262b34 !important; color: #e8ebf0 !important; }
.faint { color: #aab2c0 !important; }
.link { color: ${accent.dark} !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:#f6f7f9">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f7f9">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="surface" align="left" style="padding:28px;background-color:#ffffff;color:#1b1f27;${FONT};font-size:16px;line-height:1.5;border-radius:8px">
${mailHead(mail, logo)}${content}
</td></tr>
${
  contact &&
  html`<tr><td class="faint" align="left" style="padding:16px 28px;color:#545c6b;${FONT};font-size:14px;line-height:1.5">${contact.html}</td></tr>
`
}</table>
</td></tr>
</table>
</body>
</html>
`;
  const pictures = logo === null ? [] : [{ id: LOGO_ID, type: logo.type, bytes: logo.bytes }];
  return { html: page.html, pictures };
}

/** The logo, or else the name. On a dark background, a logo keeps a white background. */
function mailHead({ site, publicUrl }: MailContent, logo: Logo | null): Html | null {
  const name = nameOfSite(site, publicUrl);
  if (logo !== null) {
    return html`<p style="margin:0 0 20px"><img src="cid:${LOGO_ID}" alt="${name}" height="40" style="padding:4px;background-color:#ffffff;border:0"></p>
`;
  }
  return site.name === null
    ? null
    : html`<p style="margin:0 0 20px;font-size:18px;font-weight:bold">${site.name}</p>
`;
}

/**
 * A link as a button, and as text for mail programs that show no button. The button is a table cell. Outlook on Windows
 * reads its padding from a separate property.
 */
export function mailButton(link: string, label: string, { colours }: Pick<Site, 'colours'>): Html {
  const { ground, onGround, light } = colours ?? ACCENT;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background-color:${ground};border-radius:6px;mso-padding-alt:12px 20px"><a href="${link}" style="display:inline-block;padding:12px 20px;color:${onGround};font-weight:bold;text-decoration:none">${label}</a></td></tr></table>
<p style="word-break:break-all;font-size:14px"><a class="link" href="${link}" style="color:${light}">${link}</a></p>`;
}

/** A code in large digits that are easy to copy. */
export function mailCode(code: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="code" style="padding:12px 20px;background-color:#eef1f5;color:#1b1f27;border-radius:6px;font-family:Menlo,Consolas,monospace;font-size:32px;font-weight:bold;letter-spacing:6px">${code}</td></tr></table>`;
}

/** The way to contact the owner of the site; null when it is not configured. */
export function contactLine(site: Site, { blockPage }: Translation): ContactLine | null {
  const { contact } = site;
  if (contact === null) return null;
  const label = blockPage.contact;
  const { light } = site.colours ?? ACCENT;
  return {
    text: `${label}: ${contact.text}`,
    html: html`${label}: <a class="link" href="${contactUrl(contact, null)}" style="color:${light}">${contact.text}</a>`,
  };
}
