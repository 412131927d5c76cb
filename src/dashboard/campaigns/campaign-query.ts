import { CAMPAIGN_KINDS, type Campaign, type CampaignKind } from '../../storage/decisions/search/campaign.ts';

/** The filter in the URL of a page of campaigns. Invalid values are ignored. */
export interface CampaignPageQuery {
  readonly kind: CampaignKind;
  readonly within: Window;
}

const WINDOWS = { hour: 1, day: 24, week: 7 * 24 } as const;
export type Window = keyof typeof WINDOWS;
export const WINDOW_WORDS: Readonly<Record<Window, string>> = {
  hour: 'the last hour',
  day: 'the last 24 hours',
  week: 'the last 7 days',
};

export const KIND_WORDS: Readonly<
  Record<CampaignKind, { readonly plural: string; readonly one: string; readonly what: string }>
> = {
  template: {
    plural: 'Mailbox patterns',
    one: 'Mailboxes of one pattern',
    what: 'The parts before the @ follow one pattern, such as a name and four digits.',
  },
  domain: {
    plural: 'Email domains',
    one: 'Mailboxes of one domain',
    what: 'One email domain. Large public providers are left out, since very many people share them.',
  },
  backend: {
    plural: 'Mail backends',
    one: 'Domains of one throwaway service',
    what: 'Domains whose mail goes to the servers of one throwaway service.',
  },
  cohort: {
    plural: 'Spelling styles',
    one: 'Signups of one style',
    what: 'Far more signups of one style than usual here: mailboxes or domains that are spelled alike, new domains with one mail server, or signups at equal intervals. Their finding is cohort_surge.',
  },
  network: {
    plural: 'Networks',
    one: 'Attempts from one network',
    what: 'One /24 of IPv4 or /48 of IPv6. A mobile carrier or an office can look the same.',
  },
  device: {
    plural: 'Devices',
    one: 'Attempts by one browser in one network',
    what: 'One user agent in one network.',
  },
};

const HOUR_MS = 3_600_000;

export function readCampaignPageQuery(query: URLSearchParams): CampaignPageQuery {
  return {
    kind: CAMPAIGN_KINDS.find((kind) => kind === query.get('by')) ?? 'template',
    within: (Object.keys(WINDOWS) as Window[]).find((window) => window === query.get('within')) ?? 'day',
  };
}

export function windowBefore(now: number, within: Window): { readonly from: number; readonly to: number } {
  return { from: now - WINDOWS[within] * HOUR_MS, to: now };
}

/** One campaign and a fixed time span, so its page shows the same later. */
export interface OneCampaignQuery {
  readonly kind: CampaignKind;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** @returns null when the fields do not come from `oneCampaignFields`. */
export function readOneCampaignQuery(read: (name: string) => string | null): OneCampaignQuery | null {
  const kind = CAMPAIGN_KINDS.find((one) => one === read('by'));
  const key = read('key') ?? '';
  const [from, to] = [read('from'), read('to')].map((text) =>
    /^\d{1,14}$/.test(text ?? '') ? Number(text) : null,
  );
  if (!kind || key === '' || key.length > 300 || from == null || to == null || from >= to) return null;
  return { kind, key, from, to };
}

export function oneCampaignFields(query: OneCampaignQuery): Readonly<Record<string, string>> {
  return { by: query.kind, key: query.key, from: String(query.from), to: String(query.to) };
}

/** The fields of the decisions page that select the decisions of a campaign. */
export function decisionParamsOf(
  { kind, key, backendDomains }: Pick<Campaign, 'kind' | 'key' | 'backendDomains'>,
  { from, to }: Pick<OneCampaignQuery, 'from' | 'to'>,
): URLSearchParams {
  const params = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  if (kind === 'device') {
    const [network = '', userAgent = ''] = key.split(' ');
    params.set('network', network);
    params.set('browser', userAgent);
  } else if (kind === 'backend') {
    params.set('code', 'disposable_mail_exchange');
    for (const domain of backendDomains) params.append('domain', domain);
  } else if (kind === 'cohort') {
    params.set('code', 'cohort_surge');
    params.set('style', key);
  } else {
    params.set(kind, key);
  }
  return params;
}
