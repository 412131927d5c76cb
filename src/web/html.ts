/** Escaped markup. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes markup. Interpolated values are escaped unless they are markup. Null becomes empty text. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    html: parts.reduce((text, part, i) => `${text}${i > 0 ? render(values[i - 1] ?? null) : ''}${part}`, ''),
  };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(render).join('');
}
