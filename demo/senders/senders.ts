import { pick, type Random } from '../../scripts/random.ts';
import { type Headers, SCRIPT } from './browsers.ts';
import type { Crowd } from './crowd.ts';
import { burner, mistyped, ofCampaign, type Person, person } from './mailboxes.ts';

export type SenderKind = 'customer' | 'burners' | 'campaign' | 'typo' | 'datacenter';

/** One signup that a button of the demo sends. */
export interface SampleSignup extends Person {
  readonly address: string;
  readonly headers: Headers;
}

export interface Sender {
  /** On its button. */
  readonly label: string;
  readonly hint: string;
  readonly signups: () => readonly SampleSignup[];
}

const MANY = 30;
const FROM_DATA_CENTRE = 5;

/** The senders behind the buttons, each with other people and addresses at every click. */
export function createSenders(crowd: Crowd, random: Random): Readonly<Record<SenderKind, Sender>> {
  const times = (count: number, make: (i: number) => SampleSignup) =>
    Array.from({ length: count }, (_, i) => make(i));
  const atHome = (who: Person): SampleSignup => ({
    ...who,
    address: crowd.address('access').text,
    headers: crowd.browser(),
  });
  return {
    customer: {
      label: 'A customer signs up',
      hint: 'At home, with a current browser and an ordinary mailbox.',
      signups: () => [atHome(person(random))],
    },
    typo: {
      label: 'A typing error',
      hint: 'A customer whose mail provider is misspelled.',
      signups: () => [atHome(mistyped(person(random), random))],
    },
    datacenter: {
      label: 'A data centre',
      hint: 'A script on a rented server, with mailboxes that look ordinary.',
      signups: () =>
        times(FROM_DATA_CENTRE, () => ({
          ...person(random),
          headers: SCRIPT,
          address: crowd.address('hosting').text,
        })),
    },
    burners: {
      label: `A bot with ${MANY} burner addresses`,
      hint: 'A script in one hosting network, with throwaway mailboxes.',
      signups() {
        const addresses = crowd.neighbours('hosting', 6);
        return times(MANY, () => ({
          ...burner(random),
          headers: SCRIPT,
          address: pick(addresses, random).text,
        }));
      },
    },
    campaign: {
      label: 'A campaign from rotating addresses',
      hint: `${MANY} signups, each with another home address, browser and name, all spelled alike.`,
      signups: () => times(MANY, () => atHome(ofCampaign(random))),
    },
  };
}
