import type { ComponentChildren } from 'preact';
import { isFailing, type ServiceOutcomes } from '../../telemetry/service-outcomes.ts';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount } from './format.ts';

/** Warns while the resolver or the mail server does not answer this process, and says what to do. */
export function FailingServices({ status: { dns, mail } }: { readonly status: DashboardStatus }) {
  return (
    <>
      {dns && isFailing(dns) && (
        <ServiceNotice id="dns" outcomes={dns} title="The DNS does not answer" unit="queries">
          Signups are judged without it: domains that do not exist are not found. Check the server in{' '}
          <code>scoring.dns.servers</code>, or the one of this machine, with <code>gatekeeper doctor</code>.
        </ServiceNotice>
      )}
      {mail && isFailing(mail) && (
        <ServiceNotice id="mail" outcomes={mail} title="Mails are not sent" unit="tries">
          People who wait for a code do not get it: let them in on the page <a href="/review">Review</a>.
          Check <code>mail.smtp</code> with <code>gatekeeper doctor</code>.
        </ServiceNotice>
      )}
    </>
  );
}

function ServiceNotice(props: {
  readonly id: string;
  readonly outcomes: ServiceOutcomes;
  readonly title: string;
  readonly unit: string;
  readonly children: ComponentChildren;
}) {
  const { failuresInARow, lastSuccessAt, failure } = props.outcomes;
  return (
    <div id={props.id}>
      <Notice kind="error">
        <p>
          <strong>{props.title}</strong>
          {lastSuccessAt === null ? (
            ' since the start'
          ) : (
            <>
              {' '}
              since <Time at={lastSuccessAt} exact="minute" />
            </>
          )}
          : {formatCount(failuresInARow)} {props.unit} failed ({failure}). {props.children}
        </p>
      </Notice>
    </div>
  );
}
