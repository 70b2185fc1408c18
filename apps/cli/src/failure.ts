/** Exit codes for scripts (decisions, Commands and settings). */
export const EXIT = { done: 0, failed: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

/** Ends a command with a message for a person; `nextStep` says what to do. */
export class CliFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    readonly nextStep: string | null = null,
    /** The `error` object of the JSON line: the service's own if it refused, or one with a code of its own. */
    readonly error: object | null = null,
  ) {
    super(message);
  }
}

/** A failure with several causes: each stands in a line of its own below the message. */
export class ListedFailure extends CliFailure {
  constructor(
    { message, exitCode, nextStep, error }: CliFailure,
    readonly lines: readonly string[],
  ) {
    super(message, exitCode, nextStep, error);
  }
}

/** A failure that scripts tell apart by its code. */
export function codedFailure(code: string, message: string, exitCode: number, nextStep: string | null): CliFailure {
  return new CliFailure(message, exitCode, nextStep, { code, message });
}

export function wrongUsage(message: string, nextStep: string | null = null): CliFailure {
  return new CliFailure(message, EXIT.usage, nextStep);
}

export function failed(message: string, nextStep: string | null = null): CliFailure {
  return new CliFailure(message, EXIT.failed, nextStep);
}

export function unreachable(message: string, nextStep: string | null = null): CliFailure {
  return new CliFailure(message, EXIT.unreachable, nextStep);
}
