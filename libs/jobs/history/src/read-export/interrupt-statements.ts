import type { DuckDBConnection } from '@duckdb/node-api';

const AGAIN_MS = 50;

/**
 * Interrupts what runs on a connection, and what starts on it later, until the returned function is called: a statement
 * that is about to start clears an interrupt that came before it.
 */
export function interruptStatements(connection: DuckDBConnection): () => void {
  connection.interrupt();
  const timer = setInterval(() => connection.interrupt(), AGAIN_MS);
  return () => clearInterval(timer);
}
