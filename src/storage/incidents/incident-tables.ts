export interface IncidentTables {
  incidents: IncidentsTable;
}

/** See `incident.ts`. */
interface IncidentsTable {
  id: string;
  kind: string;
  key: string;
  /** JSON. */
  facts: string;
  began_at: number;
  seen_at: number;
}
