export const REPORT_EVERY_MS = 5_000;
/** The time of three missing reports. */
export const SILENT_AFTER_MS = 3 * REPORT_EVERY_MS;
