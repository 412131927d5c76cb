/** The environment of every command. It is a parameter, so that tests can run commands without a terminal. */
export interface CommandContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly writeError: (text: string) => void;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether standard output is a terminal that shows colours. */
  readonly hasColour: boolean;
}

/** The environment of commands that make secrets. */
export interface DeliveringContext extends CommandContext {
  /** Writes what is shown only once to standard output. False when it could not be written. */
  readonly deliver: (text: string) => Promise<boolean>;
}

/** 0: success. 1: an error of the user. 2: a failure. */
export type ExitCode = 0 | 1 | 2;
