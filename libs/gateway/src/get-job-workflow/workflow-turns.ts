import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { ownTurn } from '@heddle/platform-http/own-turn';

/** How long a client that takes its answer slowly keeps the others of its account waiting. */
const SLOW_READER_TIMEOUT_MS = 1_000;

/**
 * One workflow of an account at a time: each may have 10 MB, and the rate of reads counts requests, so an account could
 * take all connections of reads, the processor and the memory from the others. Whoever leaves meanwhile is not read for.
 */
@Injectable()
export class WorkflowTurns {
  /** Of accounts with a turn that is taken. */
  readonly #waiting = new Map<AccountId, (() => void)[]>();

  /**
   * Runs `read` in a turn of its account; not at all if the client has left by then. The turn ends when the answer is taken,
   * or soon after it was given.
   */
  async run(account: AccountId, response: ServerResponse, read: () => Promise<void>): Promise<void> {
    await ownTurn(response);
    if (response.destroyed || !(await this.#turn(account, response))) return;
    try {
      await read();
    } finally {
      // Not awaited: a failure is answered by whoever called.
      void taken(response).then(() => this.#end(account));
    }
  }

  /** False: the client left before its turn, and waits no more. */
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
