/**
 * The time, in milliseconds since the Unix epoch. Only the edge reads the real one (`Date.now`);
 * everything below is given a clock, so that tests and the simulator decide what time it is.
 */
export type Clock = () => number;
