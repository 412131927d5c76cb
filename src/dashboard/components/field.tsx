import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The reason why the value is not accepted. */
  readonly error?: string | undefined;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'datetime-local' | 'search' | undefined;
  readonly value?: string | number | undefined;
  readonly required?: boolean | undefined;
  readonly autocomplete?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  readonly placeholder?: string | undefined;
  readonly autofocus?: boolean | undefined;
  readonly inputMode?: 'numeric' | undefined;
}

/** An input with its label, hint and error, linked for screen readers. */
export function Field({ name, label, hint, error, type = 'text', ...input }: InputProps) {
  return (
    <Labelled name={name} label={label} hint={hint} error={error}>
      {/* Preact's types allow different roles for each input type; the type `text` is used for all inputs here. */}
      <input id={name} name={name} type={type as 'text'} {...describedBy(name, hint, error)} {...input} />
    </Labelled>
  );
}

export function SelectField(
  props: FieldProps & {
    /** Left out: the name. It differs when two forms of one page have fields of this name. */
    readonly id?: string;
    readonly value: string;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  },
) {
  const { name, id = name, label, hint, error, value, options } = props;
  return (
    <Labelled name={id} label={label} hint={hint} error={error}>
      <select id={id} name={name} {...describedBy(id, hint, error)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function TextAreaField(
  props: FieldProps & { readonly value?: string; readonly rows?: number; readonly required?: boolean },
) {
  const { name, label, hint, error, value = '', rows = 6, required } = props;
  return (
    <Labelled name={name} label={label} hint={hint} error={error}>
      <textarea id={name} name={name} rows={rows} required={required} {...describedBy(name, hint, error)}>
        {value}
      </textarea>
    </Labelled>
  );
}

function Labelled({
  name,
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function describedBy(name: string, hint: string | undefined, error: string | undefined) {
  const ids = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`].filter(
    Boolean,
  );
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(error !== undefined && { 'aria-invalid': true }),
  };
}
