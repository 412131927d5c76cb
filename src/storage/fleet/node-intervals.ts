export const REPORT_EVERY_MS = 5_000;
/** Three reports that did not come. */
export const SILENT_AFTER_MS = 3 * REPORT_EVERY_MS;
