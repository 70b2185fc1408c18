import type { DataFolderInUseError } from './instance-lock.js';

/**
 * Events of the supervision: connection lost, connected again to the same process, server back as another process,
 * server that runs and takes no connections yet, failed restart, folder taken by another Heddle.
 */
export type ServerNotice =
  | { readonly kind: 'relocated'; readonly message: string }
  | { readonly kind: 'adopted'; readonly pid: number }
  /** `end`: how the server process ended; null if it runs on. */
  | { readonly kind: 'lost'; readonly end: string | null }
  | { readonly kind: 'reconnected'; readonly afterMs: number }
  | { readonly kind: 'restarted'; readonly afterMs: number }
  | { readonly kind: 'recovering'; readonly retryInMs: number }
  | { readonly kind: 'restart_failed'; readonly error: Error; readonly retryInMs: number }
  | { readonly kind: 'taken'; readonly error: DataFolderInUseError };

/** What each of them says to an operator. */
export const SERVER_NOTICES: Readonly<Record<ServerNotice['kind'], string>> = {
  relocated: 'the files of the database server are outside of the data folder',
  adopted: 'the database server of an earlier start still runs and is used',
  lost: 'the connection to the database server was lost: it is opened again, and the server started if it ended',
  reconnected: 'the connection to the database server is open again',
  restarted: 'the database server was started again',
  recovering: 'the database server runs and takes no connections yet, as after a crash: another attempt follows',
  restart_failed: 'the database server could not be started again: another attempt follows',
  taken: 'another process uses the data folder: the database server is not started again',
};

const LOST: readonly ServerNotice['kind'][] = ['lost', 'recovering', 'restart_failed', 'taken'];

/** True if the server cannot be reached after this notice. */
export function isServerLost({ kind }: Pick<ServerNotice, 'kind'>): boolean {
  return LOST.includes(kind);
}
