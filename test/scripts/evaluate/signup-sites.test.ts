import test from 'ava';
import { CAMPAIGN_SHAPES, campaignOf } from '../../../scripts/evaluate/campaign-shapes.ts';
import { DAY_MS, peopleAt, SITE_KINDS } from '../../../scripts/evaluate/signup-sites.ts';
import { parseMailbox } from '../../../src/addresses/email-address.ts';

const START = Date.UTC(2026, 9, 1);

for (const site of SITE_KINDS) {
  test(`the simulated ${site.name} has its number of signups a day, in order, the same for the same seed`, (t) => {
    const traffic = { from: START, days: 10, times: 1, seed: 3 };
    const people = peopleAt(site, traffic);
    t.true(
      Math.abs(people.length - 10 * site.signupsPerDay) < 0.15 * 10 * site.signupsPerDay,
      String(people.length),
    );
    t.true(people.every(({ at }, i) => at >= (people[i - 1]?.at ?? START) && at < START + 10 * DAY_MS));
    t.true(people.every(({ email }) => parseMailbox(email) !== null));
    t.deepEqual(peopleAt(site, traffic), people);
    t.notDeepEqual(peopleAt(site, { ...traffic, seed: 4 }), people);
  });
}

for (const shape of CAMPAIGN_SHAPES) {
  test(`the campaign "${shape.name}" changes its mailboxes`, (t) => {
    const campaign = campaignOf(shape, START, 1);
    t.is(campaign.length, shape.count);
    t.true(new Set(campaign.map(({ email }) => email)).size > 0.95 * shape.count);
    t.true(campaign.every(({ email, at }) => parseMailbox(email) !== null && at >= START));
  });
}
