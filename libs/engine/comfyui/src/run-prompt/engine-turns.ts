/** Null: every run is of the one account that there is. */
type Account = string | null;

interface Waiting {
  readonly account: Account;
  readonly admit: () => void;
}

/**
 * Lets the runs of one account at a time into an engine whose result cache knows no accounts. Before another account's
 * run the engine has to forget: a cached node would disclose what the other account ran. Runs of one account overlap
 * freely. First come, first served.
 */
export class EngineTurns {
  /** The account whose results the engine may know; undefined: anybody's. */
  #account: Account | undefined;
  #forgetting: Promise<void> | null = null;
  #running = 0;
  readonly #line: Waiting[] = [];

  /** `forget` has the engine drop the results of earlier runs; it rejects if the engine may still know them. */
  constructor(private readonly forget: () => Promise<void>) {}

  /** Resolves with a function that ends the turn, or with null if the signal aborts first; rejects like `forget`. */
  async enter(account: Account, signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#line.length === 0 && this.#admits(account)) this.#take(account);
    else if (!(await this.#inLine(account, signal))) return null;
    try {
      const hasForgotten = await this.#forgotten(signal);
      if (hasForgotten) return () => this.#leave();
    } catch (error) {
      // The next run asks again.
      this.#account = undefined;
      this.#leave();
      throw error;
    }
    this.#leave();
    return null;
  }

  #admits(account: Account): boolean {
    return this.#running === 0 || account === this.#account;
  }

  #take(account: Account): void {
    this.#running += 1;
    if (account === this.#account) return;
    // Where every run is of one account, the engine may know whatever it knows.
    const isOnlyAccount = this.#account === undefined && account === null;
    this.#account = account;
    this.#forgetting = isOnlyAccount ? null : this.forget();
    // Each run of the turn awaits it; one that is aborted before does not.
    this.#forgetting?.catch(() => undefined);
  }

  /** False if the signal aborts first. */
  async #forgotten(signal: AbortSignal): Promise<boolean> {
    if (this.#forgetting === null) return true;
    const aborted = Promise.withResolvers<boolean>();
    const abort = (): void => aborted.resolve(false);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const forgotten = this.#forgetting.then(() => true);
    return await Promise.race([forgotten, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
  }

  async #inLine(account: Account, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const turn = Promise.withResolvers<boolean>();
    const waiting = { account, admit: () => turn.resolve(true) };
    const leaveLine = (): void => {
      const at = this.#line.indexOf(waiting);
      if (at === -1) return;
      this.#line.splice(at, 1);
      turn.resolve(false);
      this.#admitNext();
    };
    this.#line.push(waiting);
    signal.addEventListener('abort', leaveLine, { once: true });
    return await turn.promise.finally(() => signal.removeEventListener('abort', leaveLine));
  }

  #leave(): void {
    this.#running -= 1;
    this.#admitNext();
  }

  #admitNext(): void {
    for (let [next] = this.#line; next !== undefined && this.#admits(next.account); [next] = this.#line) {
      this.#line.shift();
      this.#take(next.account);
      next.admit();
    }
  }
}
