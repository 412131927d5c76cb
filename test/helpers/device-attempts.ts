import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type Attempt, type AttemptFacts, createAttempt } from '../../src/assessment/attempt.ts';
import type { BrowserReleases, CurrentDatasets, DeviceDatasets } from '../../src/datasets/datasets.ts';

/** The day on which the attempts of these tests arrive. */
export const NOW = Date.UTC(2026, 10, 21);

const DAY_MS = 86_400_000;

/** Chrome and Firefox every 28 days up to version 157, Safari every year with its jump from 18 to 26. */
export const DEVICE_DATASETS: DeviceDatasets = {
  browsers: new Map([
    ['chrome', everyDays(28, 157)],
    ['firefox', everyDays(28, 157)],
    ['safari', safariReleases()],
    ['safari_ios', safariReleases()],
  ]),
  asOf: NOW - 9 * DAY_MS,
};

export function deviceDatasets(device: DeviceDatasets = DEVICE_DATASETS): CurrentDatasets {
  // The device processor reads nothing else of the data sets.
  return { current: { device } as CurrentDatasets['current'] };
}

/** An attempt of an ordinary person that differs in the given facts. */
export function deviceAttempt(facts: Partial<AttemptFacts>): Attempt {
  const mailbox = parseMailbox('someone@company.example.com');
  const ip = parseIpAddress('192.0.2.7');
  if (!mailbox || !ip) throw new Error('the fixture is no mailbox or address');
  return createAttempt(
    {
      requestId: '0d4ff2c0-0000-4000-8000-000000000000',
      receivedAt: NOW,
      door: 'api',
      scope: 'account',
      route: null,
      email: { mailbox },
      ip,
      userAgent: null,
      headers: null,
      ...facts,
    },
    (value) => value,
  );
}

function everyDays(days: number, newest: number): BrowserReleases {
  const versions = Array.from({ length: newest }, (_, index) => index + 1);
  return { versions, releasedAt: versions.map((version) => NOW - (18 + (newest - version) * days) * DAY_MS) };
}

function safariReleases(): BrowserReleases {
  const versions = [...Array.from({ length: 18 }, (_, index) => index + 1), 26, 27];
  return {
    versions,
    releasedAt: versions.map((_, index) => NOW - (60 + (versions.length - 1 - index) * 365) * DAY_MS),
  };
}
