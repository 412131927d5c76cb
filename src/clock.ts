/**
 * The time, in milliseconds since the Unix epoch. Only the entry points read the real clock (`Date.now`) and pass it on
 * as a parameter, so that tests and the simulator can set the time.
 */
export type Clock = () => number;
