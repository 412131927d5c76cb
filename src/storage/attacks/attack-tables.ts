import type { AttackKind } from './attack-event.ts';

export interface AttackTables {
  attack_events: AttackEventsTable;
}

/** See `attack-event.ts`. */
interface AttackEventsTable {
  id: string;
  kind: AttackKind;
  key: string;
  name: string | null;
  attempts: number;
  mailboxes: number;
  stopped: number;
  began_at: number;
  ended_at: number;
}
