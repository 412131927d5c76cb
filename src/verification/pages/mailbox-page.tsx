import type { ReceivedMail } from '../../mail/development-mailbox.ts';
import type { Page } from '../../web/own-reply.ts';
import { renderPage } from '../../web/page.tsx';
import { UNNAMED_SITE } from '../../web/site.ts';

/** The page of the development mailbox, newest mail first. */
export function mailboxPage(received: readonly ReceivedMail[]): Page {
  return renderPage({
    language: 'en',
    site: UNNAMED_SITE,
    publicUrl: null,
    title: 'Development mailbox',
    content: (
      <>
        <h1>Development mailbox</h1>
        <p>
          No mail server is configured (<code>mail.smtp</code>). Mails are shown here and are not sent.
        </p>
        {received.length === 0 && <p>No mails yet.</p>}
        {received.map((mail) => (
          <ShownMail key={mail} {...mail} />
        ))}
      </>
    ),
  });
}

function ShownMail({ at, mail: { recipient, subject, text } }: ReceivedMail) {
  const iso = new Date(at).toISOString();
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  return (
    <article>
      <h2>{subject}</h2>
      <p>
        To {recipient}
        <br />
        <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}</time>
      </p>
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {link !== undefined && (
        <p>
          <a href={link}>Open the link</a>
        </p>
      )}
    </article>
  );
}
