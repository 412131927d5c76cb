export interface AlertTables {
  alert_deliveries: AlertDeliveriesTable;
}

/** One row for each attack or incident, and receiver; see `alert-store.ts`. */
interface AlertDeliveriesTable {
  event_id: string;
  receiver: string;
  state: 'waiting' | 'sent' | 'given_up';
  tries: number;
  /** When it is tried next; while a process tries it, when another one may. */
  next_at: number;
}
