import type { CurrentDatasets, Datasets, DomainSet, EmailDatasets } from '../../src/datasets/datasets.ts';

const set = (...names: string[]): DomainSet => new Set(names);

/** Small sets in the shape of the real ones. */
export const EMAIL_DATASETS: EmailDatasets = {
  disposable: set('mailinator.com', 'burner.mooo.com', 'ddns.net', 'feed.gov', 'gmaul.com', 'gotmail.com'),
  suspected: set('doubtful.de', 'gmail.com', 'hotmial.com', 'listed.mooo.com'),
  freeSubdomainHosts: set('cc.cd', 'mooo.com'),
  freeProviders: set('gmail.com', 'gmail.co', 'email.com', 'outlook.com', 'mail.ru', 'pp.ua'),
  academic: set('edu', 'ac.uk', 'uni-bonn.de'),
  government: set('gov', 'gov.uk', 'bund.de'),
  relays: set('duck.com', 'privaterelay.appleid.com'),
  roles: new Set(['info', 'admin', 'postmaster']),
};

/** Datasets of which only the email part is there, and that can be swapped. */
export function emailDatasets(
  email: EmailDatasets = EMAIL_DATASETS,
): { current: Datasets } & CurrentDatasets {
  return { current: { email } as Datasets };
}
