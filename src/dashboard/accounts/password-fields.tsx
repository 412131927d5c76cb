import { MIN_PASSWORD_LENGTH, PASSWORD_HINT } from '../../accounts/password-rules.ts';
import { Field } from '../components/field.tsx';

interface PasswordFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
}

/** The field `password`, for a password that is still to be chosen. */
export function NewPasswordField({ label, error }: PasswordFieldProps) {
  return (
    <Field
      name="password"
      label={label}
      type="password"
      hint={PASSWORD_HINT}
      error={error}
      autocomplete="new-password"
      minLength={MIN_PASSWORD_LENGTH}
      required
    />
  );
}

export function CurrentPasswordField({ name, label, error }: PasswordFieldProps & { readonly name: string }) {
  return (
    <Field name={name} label={label} type="password" error={error} autocomplete="current-password" required />
  );
}

/** The email whose password the form holds: password managers save the two together. */
export function HiddenEmail({ email }: { readonly email: string }) {
  return <input type="text" value={email} autocomplete="username" hidden readonly />;
}
