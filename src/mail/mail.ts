/** A mail that is ready to be sent. */
export interface Mail {
  /** Without signs that are special in a mail header. Left out: every try to send it counts as another mail. */
  readonly id?: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The pictures of the mail. The HTML shows each as `cid:` and its id. Left out: the mail has no pictures. */
  readonly pictures?: readonly MailPicture[];
}

export interface MailPicture {
  readonly id: string;
  /** The media type of the picture. */
  readonly type: string;
  readonly bytes: Buffer;
}
