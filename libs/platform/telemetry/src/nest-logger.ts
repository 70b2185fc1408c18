import type { Logger } from './logger.js';

/** What Nest, and code that logs through Nest's `Logger`, needs of a log. */
export interface NestLog {
  log(): void;
  error(message: unknown, ...more: unknown[]): void;
  warn(message: unknown, ...more: unknown[]): void;
  debug(message: unknown, ...more: unknown[]): void;
}

/** What is logged through Nest, as lines of our log; the lines of Nest about its own start are left out. */
export function nestLog(logger: Pick<Logger, 'debug' | 'warn' | 'error'>): NestLog {
  const tell =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...more: unknown[]): void => {
      const context = more.at(-1);
      const facts = typeof context === 'string' ? { part: context } : {};
      if (message instanceof Error) logger[level]({ err: message, ...facts }, message.message);
      else logger[level](facts, String(message));
    };
  return { log: () => undefined, error: tell('error'), warn: tell('warn'), debug: tell('debug') };
}
