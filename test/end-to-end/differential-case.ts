/** One request, as it goes over the wire. */
export interface DifferentialCase {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  /** Name and value, one for each line; framing and host are added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const GOOD = 'good@corp.example';
export const BAD = 'bad@burner.example';
export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const MULTIPART = 'multipart/form-data; boundary=X';
export const FORM_BODY = `email=${encodeURIComponent(GOOD)}&name=x`;

interface Changes {
  readonly method?: string;
  readonly target?: string;
  readonly type?: string | readonly string[] | null;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** A signup form that is sent as usual, with the changes of the case. */
export function make(
  id: string,
  { method = 'POST', target = '/signup', type = FORM, headers = [], body = FORM_BODY }: Changes,
) {
  const types = type === null ? [] : [type].flat();
  return {
    id,
    method,
    target,
    headers: [...types.map((value) => ['Content-Type', value] as const), ...headers],
    body: Buffer.from(body as string),
  };
}

export const DISPOSITION = 'Content-Disposition: form-data;';
