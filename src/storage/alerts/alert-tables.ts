export interface AlertTables {
  alert_deliveries: AlertDeliveriesTable;
}

/** One row for each attack or incident, and receiver; see `alert-store.ts`. */
interface AlertDeliveriesTable {
  event_id: string;
  receiver: string;
  state: 'waiting' | 'sent' | 'given_up';
  tries: number;
  /** The time of the next try. While a process tries it, the time from which another process may try it. */
  next_at: number;
}
