/** The jobs in the background whose runs are counted. */
export const JOB_NAMES = ['aggregation', 'attacks', 'incidents', 'retention', 'size_limit'] as const;
export type JobName = (typeof JOB_NAMES)[number];
