import type { Logger } from './logger.js';

/** The log that Nest and users of Nest's `Logger` need. */
export interface NestLog {
  log(): void;
  error(message: unknown, ...more: unknown[]): void;
  warn(message: unknown, ...more: unknown[]): void;
  debug(message: unknown, ...more: unknown[]): void;
}

/** Routes Nest's log lines to our log, without those about Nest's own start. */
export function nestLog(logger: Pick<Logger, 'debug' | 'warn' | 'error'>): NestLog {
  const tell =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...more: unknown[]): void => {
      const context = more.at(-1);
      const facts = typeof context === 'string' ? { part: context } : {};
      if (message instanceof Error) logger[level]({ err: message, ...facts }, message.message);
      else if (isWithFacts(message)) {
        const { message: line, ...others } = message;
        logger[level]({ ...others, ...facts }, line);
      } else logger[level](facts, String(message));
    };
  return { log: () => undefined, error: tell('error'), warn: tell('warn'), debug: tell('debug') };
}

/** A sentence with facts beside it: `{ message: 'an upload failed', err }`. */
function isWithFacts(message: unknown): message is { readonly message: string } {
  return typeof message === 'object' && message !== null && 'message' in message && typeof message.message === 'string';
}
