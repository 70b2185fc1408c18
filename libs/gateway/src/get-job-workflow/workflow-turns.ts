import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { ownTurn } from '@heddle/platform-http/own-turn';

/** How long a slow reader may keep the other clients of its account waiting. */
const SLOW_READER_TIMEOUT_MS = 1_000;

/**
 * Sends one workflow of an account at a time. A workflow may have 10 MB, and the rate limit counts requests: one
 * account could take the read connections, the processor and the memory of all others. Nothing is read for a client
 * that left.
 */
@Injectable()
export class WorkflowTurns {
  /** The clients that wait for their turn, of each account whose turn is taken. */
  readonly #waiting = new Map<AccountId, (() => void)[]>();

  /**
   * Runs `read` when it is the account's turn, and skips it if the client has left by then. The turn ends when the
   * client has received the answer, or at the latest `SLOW_READER_TIMEOUT_MS` after it was sent.
   */
  async run(account: AccountId, response: ServerResponse, read: () => Promise<void>): Promise<void> {
    await ownTurn(response);
    if (response.destroyed || !(await this.#turn(account, response))) return;
    try {
      await read();
    } finally {
      // Not awaited: the caller answers a failure.
      void taken(response).then(() => this.#end(account));
    }
  }

  /** False if the client left before its turn. */
  async #turn(account: AccountId, response: ServerResponse): Promise<boolean> {
    const waiting = this.#waiting.get(account);
    if (waiting === undefined) {
      this.#waiting.set(account, []);
      return true;
    }
    return await new Promise((resolve) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        resolve(false);
      };
      // Takes over the turn of another one.
      const begin = (): void => {
        response.removeListener('close', leave);
        resolve(true);
      };
      waiting.push(begin);
      response.once('close', leave);
    });
  }

  #end(account: AccountId): void {
    const next = this.#waiting.get(account)?.shift();
    if (next === undefined) this.#waiting.delete(account);
    else next();
  }
}

async function taken(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, SLOW_READER_TIMEOUT_MS).unref();
    // After `finish`, too.
    response.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}
