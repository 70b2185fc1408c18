import type { ServerResponse } from 'node:http';

/**
 * Resolves when this answer is the next on its connection, or when its client is gone. Answers to pipelined requests
 * wait for each other: a client could multiply at will what they hold meanwhile.
 */
export async function ownTurn(response: ServerResponse): Promise<void> {
  if (response.socket !== null || response.destroyed) return;
  // A waiting answer has no socket yet. It is notified of the socket that it gets, and of the end of the connection.
  await new Promise<void>((resolve) => response.once('socket', () => resolve()).once('close', () => resolve()));
}
