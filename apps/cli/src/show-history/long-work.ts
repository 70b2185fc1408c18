import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { isConnectionLoss } from '@heddle/platform-database/transient-failures';
import { CliFailure, failed, unreachable } from '../failure.js';
import { fileErrorText } from '../file-error.js';

/** How DuckDB begins the message of a file that cannot be read or written; its errors have no class of their own. */
const ENGINE_IO = 'IO Error: ';
const YOUNG_BYTES = 32 * 1024 * 1024;
const YOUNG_LOOK_MS = 50;

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs database work that may take hours. Ctrl-C aborts its signal with `Interrupted`, and a refusal of the database
 * becomes a failure with a next step. `youngBytes`: size to which the young generation of the heap grows.
 */
export async function longWork<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { youngBytes = YOUNG_BYTES }: { readonly youngBytes?: number } = {},
): Promise<T> {
  const bounded = boundYoungGeneration(youngBytes);
  const ended = new AbortController();
  const interrupt = (): void => ended.abort(new Interrupted());
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(ended.signal);
  } catch (error) {
    throw error instanceof Interrupted || error instanceof CliFailure ? error : explained(error);
  } finally {
    clearInterval(bounded);
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/**
 * Rows become garbage soon after they are read. A young generation that is too small copies them while they are used, which
 * costs a fifth of the CPU; one that grows on (to 130 MB) only keeps more of them.
 */
function boundYoungGeneration(bytes: number): NodeJS.Timeout {
  const look = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!;
    if (young.space_size < bytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  };
  const timer = setInterval(look, YOUNG_LOOK_MS);
  look();
  return timer.unref();
}

function explained(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  // A full disk is not a database that went away.
  if (fileErrorText(error) !== null) return error;
  if (message?.startsWith(ENGINE_IO) === true)
    return failed(message.slice(ENGINE_IO.length), 'make room or check the folder, and run the command again');
  if (isConnectionLoss(error))
    return unreachable(`the connection to the database was lost: ${message}`, 'run the command again');
  if (code === '42501')
    return failed(`the database refuses this role: ${message}`, 'connect as the owner of the database');
  // An undefined table, column or schema.
  if (code === '42P01' || code === '42703' || code === '3F000')
    return failed(
      `this database is not one of this version of Heddle: ${message}`,
      'start Heddle on it once, or run heddle migrate, to bring its schema up to date',
    );
  return error;
}
