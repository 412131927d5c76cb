import { type Html, html } from './html.ts';
import type { Language } from './languages.ts';

export interface MailContent {
  readonly language: Language;
  readonly subject: string;
  readonly content: Html;
}

/** The HTML of a mail. Styles are inline, since mail programs drop style sheets; there are no images to load. */
export function mailFrame({ language, subject, content }: MailContent): string {
  return html`<!DOCTYPE html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#fff;color:#1b1f24;font:16px/1.5 sans-serif">
${content}
</body>
</html>
`.html;
}

/** A link as a button, and as text for mail programs that show no button. */
export function mailButton(link: string, label: string): Html {
  return html`<p><a href="${link}" style="display:inline-block;padding:12px 20px;background:#0b5cad;color:#fff;text-decoration:none;border-radius:6px">${label}</a></p>
<p style="word-break:break-all"><a href="${link}" style="color:#0b5cad">${link}</a></p>`;
}
