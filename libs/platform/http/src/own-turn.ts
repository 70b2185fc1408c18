import type { ServerResponse } from 'node:http';

/**
 * Resolves when this answer is the one that its connection sends, or when its client is gone. Answers to requests that
 * were sent one behind the other wait for each other: what they held meanwhile, a client could multiply at will.
 */
export async function ownTurn(response: ServerResponse): Promise<void> {
  if (response.socket !== null || response.destroyed) return;
  // An answer that still waits has no socket. It is told of the one that it gets, and of the end of the connection.
  await new Promise<void>((resolve) => response.once('socket', () => resolve()).once('close', () => resolve()));
}
