import type { Logger } from './logger.js';

/**
 * The log that Nest needs for its own lines. Contexts whose classes need no log of their own use it too, by Nest's `Logger`;
 * its lines become lines of the one log of the process.
 */
export interface NestLog {
  log(message?: unknown, ...more: unknown[]): void;
  error(message: unknown, ...more: unknown[]): void;
  warn(message: unknown, ...more: unknown[]): void;
  debug(message: unknown, ...more: unknown[]): void;
}

/** Routes Nest's log lines to our log, without those about Nest's own start. */
export function nestLog(logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>): NestLog {
  const tell =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: unknown, ...more: unknown[]): void => {
      const context = more.at(-1);
      const facts = typeof context === 'string' ? { part: context } : {};
      if (message instanceof Error) logger[level]({ err: message, ...facts }, message.message);
      else if (isWithFacts(message)) {
        const { message: line, ...others } = message;
        logger[level]({ ...others, ...facts }, line);
      } else logger[level](facts, String(message));
    };
  const info = tell('info');
  return {
    // Nest itself logs plain sentences about its start; our code logs a sentence with facts.
    log: (message, ...more) => (isWithFacts(message) ? info(message, ...more) : undefined),
    error: tell('error'),
    warn: tell('warn'),
    debug: tell('debug'),
  };
}

/** A sentence with facts beside it: `{ message: 'an upload failed', err }`. */
function isWithFacts(message: unknown): message is { readonly message: string } {
  return typeof message === 'object' && message !== null && 'message' in message && typeof message.message === 'string';
}
