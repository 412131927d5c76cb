/** A mail that is ready to be sent. */
export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Parts of the mail that its HTML shows as `cid:` and the id; left out: no pictures. */
  readonly pictures?: readonly MailPicture[];
}

export interface MailPicture {
  readonly id: string;
  /** The media type. */
  readonly type: string;
  readonly bytes: Buffer;
}
