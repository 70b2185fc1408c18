import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { ownTurn } from '@heddle/platform-http/own-turn';

/**
 * One workflow of an account at a time: each may have 10 MB, and the rate of reads counts requests, so an account could
 * take all connections of reads, the processor and the memory from the others. Whoever leaves meanwhile is not read for.
 */
@Injectable()
export class WorkflowTurns {
  /** Of accounts with a turn that is taken. */
  readonly #waiting = new Map<AccountId, (() => void)[]>();

  /** Runs `read` in a turn of its account, which ends when the answer is taken; not at all if the client has left by then. */
  async run(account: AccountId, response: ServerResponse, read: () => Promise<void>): Promise<void> {
    await ownTurn(response);
    if (response.destroyed || !(await this.#turn(account, response))) return;
    try {
      await read();
    } finally {
      if (response.destroyed) this.#end(account);
      // After `finish`, too.
      else response.once('close', () => this.#end(account));
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
