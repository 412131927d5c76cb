import { MAX_FILE_BYTES } from '../../../simulation/upload/sealed-file.ts';
import { MAX_FILE_SIGNUPS } from '../../../simulation/upload/simulated-file.ts';
import { CsrfField } from '../../components/act-form.tsx';
import { count } from '../replay-tables.tsx';

/** The form for a file of past signups. */
export function FileUpload({ csrfToken, error }: { readonly csrfToken: string; readonly error?: string }) {
  const hint = `CSV, up to ${MAX_FILE_BYTES / 1_000_000} MB and ${count(MAX_FILE_SIGNUPS)} signups`;
  return (
    <form method="post" action="/simulator/file" enctype="multipart/form-data">
      <CsrfField token={csrfToken} />
      <fieldset class="panel">
        <legend>Signups from a file</legend>
        <p>
          Upload an export of your past signups. Gatekeeper judges them under the current policy. You choose
          the columns next. The file is kept encrypted for 15 minutes, then deleted; nothing of it is added to
          the decisions.
        </p>
        <div class={error === undefined ? 'field' : 'field wrong'}>
          <label for="file">File</label>
          <p class="hint" id="file-hint">
            {hint}
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            required
            aria-describedby={error === undefined ? 'file-hint' : 'file-hint file-error'}
            aria-invalid={error === undefined ? undefined : true}
          />
          {error !== undefined && (
            <p class="error" id="file-error">
              {error}
            </p>
          )}
        </div>
        <button type="submit" class="second">
          Upload
        </button>
      </fieldset>
    </form>
  );
}
