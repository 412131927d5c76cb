import { HistoryError } from '../../../simulation/read-lines.ts';
import { SIGNUP_FIELDS } from '../../../simulation/signup-row.ts';
import { type PeekedFile, peekColumns } from '../../../simulation/upload/peek-columns.ts';
import { deleteLeftFiles, dropSealed, openSealed, sealFile } from '../../../simulation/upload/sealed-file.ts';
import type { SimulatedFile } from '../../../simulation/upload/simulated-file.ts';
import { operatorOnly, viewerOf } from '../../access.ts';
import { Notice } from '../../components/notice.tsx';
import type { DashboardDependencies } from '../../dashboard-dependencies.ts';
import type { Page } from '../../page.tsx';
import { PageError } from '../../page-error.ts';
import { ProgressPlace, sendWithPlace, withProgress } from '../../progress-page.tsx';
import type { DashboardContext, DashboardRouter } from '../../router.ts';
import { count } from '../replay-tables.tsx';
import { ColumnForm, type ColumnFormProps, mistakesIn, recognisedIn } from './column-form.tsx';
import { FileResults } from './file-results.tsx';
import { FileUpload } from './file-upload.tsx';

const RETRY_AFTER_SECONDS = 30;
/** The number of uploads at once: each is encrypted and written while it arrives. */
const MAX_UPLOADING = 2;

/** An uploaded file of past signups: its columns, then its verdict. For operators only. */
export function registerFilePages(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const { clock, config, simulateFile } = dependencies;
  let uploading = 0;
  let isRunning = false;
  deleteLeftFiles(clock);

  router.post('/simulator/file', operatorOnly, async (context) => {
    const { accountId: owner } = viewerOf(context);
    if (context.state.upload === null) throw new PageError(400, 'Choose a file, and upload it again.');
    if (uploading >= MAX_UPLOADING) {
      throw new PageError(429, 'Two files are being uploaded. Try again in a moment.', RETRY_AFTER_SECONDS);
    }
    uploading++;
    try {
      const token = await sealFile(context.state.upload, { owner, clock });
      const peeked = await peekOrRefuse(context, token, owner);
      if (peeked) show(context, { peeked, token, ...recognisedIn(peeked) });
      else await dropSealed(token);
    } catch (error) {
      refuse(context, error);
    } finally {
      uploading--;
    }
  });

  router.post('/simulator/file/run', operatorOnly, async (context) => {
    const { form } = context.state;
    const { accountId: owner } = viewerOf(context);
    const token = form.text('token');
    const choice = new Map(SIGNUP_FIELDS.map((field) => [field, form.text(`column-${field}`)] as const));
    const peeked = await peekOrRefuse(context, token, owner);
    if (peeked === null) return;
    const issues = mistakesIn(peeked, choice);
    const view = { peeked, token, chosen: choice, issues };
    if (issues.size > 0) return show(context, view);
    if (isRunning) {
      throw new PageError(
        429,
        'Another file is being simulated. Try again in a moment.',
        RETRY_AFTER_SECONDS,
      );
    }
    isRunning = true;
    const left = new AbortController();
    context.res.once('close', () => left.abort());
    try {
      await withProgress(context, filePage(context, view), async (progress) => {
        const onProgress = (judged: number, of: number) =>
          progress.show(`${count(judged)} of ${count(of)} signups judged.`);
        try {
          const file = { token, owner, choice, config: config() };
          const result = await simulateFile(file, { onProgress, signal: left.signal });
          progress.finish(filePage(context, { ...view, result }));
        } catch (error) {
          if (!(error instanceof HistoryError)) throw error;
          progress.finish(filePage(context, { ...view, mistake: error.message }));
        }
      });
    } finally {
      isRunning = false;
    }
  });
}

async function peekOrRefuse(
  context: DashboardContext,
  token: string,
  owner: string,
): Promise<PeekedFile | null> {
  try {
    return await peekColumns(openSealed(token, owner));
  } catch (error) {
    refuse(context, error);
    return null;
  }
}

/** Shows the form of the upload with the reason. */
function refuse(context: DashboardContext, error: unknown): void {
  if (!(error instanceof HistoryError)) throw error;
  sendWithPlace(context, {
    title: 'Simulator',
    status: 400,
    content: (
      <>
        <h1>Simulate a file</h1>
        <ProgressPlace />
        <Notice kind="error">
          <p>{error.message}</p>
        </Notice>
        <FileUpload csrfToken={context.state.csrfToken} error="This file cannot be simulated." />
      </>
    ),
  });
}

interface FileView extends Omit<ColumnFormProps, 'csrfToken'> {
  readonly result?: SimulatedFile;
  /** The reason why the file cannot be simulated. */
  readonly mistake?: string;
}

function show(context: DashboardContext, view: FileView): void {
  sendWithPlace(context, filePage(context, view));
}

function filePage({ state: { csrfToken } }: DashboardContext, view: FileView): Page {
  const { result, mistake, ...columns } = view;
  return {
    title: 'Simulator',
    status: columns.issues.size > 0 && result === undefined ? 400 : 200,
    content: (
      <>
        <h1>Simulate a file</h1>
        <p>
          <a href="/simulator">Simulator</a>
        </p>
        <ProgressPlace />
        {mistake !== undefined && (
          <Notice kind="error">
            <p>{mistake}</p>
          </Notice>
        )}
        {result && <FileResults result={result} />}
        <ColumnForm {...columns} csrfToken={csrfToken} />
        <FileUpload csrfToken={csrfToken} />
      </>
    ),
  };
}
