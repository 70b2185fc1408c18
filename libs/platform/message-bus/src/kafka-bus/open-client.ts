import { withinMs } from './time-limit.js';

/** A producer, an admin client or a consumer of the library. */
interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

const SETTLED_WITHIN_MS = 2_000;

/**
 * A library client from first connection to end. Requests in flight during a disconnect open a new connection, which
 * would stay and keep the process alive; so it disconnects again when nothing is in flight.
 */
export class OpenClient<Client extends Connectable> {
  readonly #client: Client;
  readonly #connected: Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  #left = false;

  constructor(client: Client) {
    this.#client = client;
    this.#connected = this.#follow(client.connect());
  }

  /** Connects once for all callers. */
  async connect(): Promise<void> {
    await this.#connected;
    if (this.#left) throw new Error('the client was disconnected');
  }

  async use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    await this.connect();
    return await this.#follow(work(this.#client));
  }

  /** Resolves within 2 s; longer requests are cleaned up when they fail. Never rejects. */
  async leave(): Promise<void> {
    this.#left = true;
    const ended = this.#settled().then(async () => await this.#disconnect());
    // A broker that hangs ends nothing by itself: close its sockets first, and those opened for retries afterwards.
    // Not awaited: the library waits for the answers, up to their time-out, before it closes a socket.
    await withinMs(SETTLED_WITHIN_MS, ended, () => new Error('not settled yet')).catch(() => void this.#disconnect());
  }

  #follow<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay.add(work);
    const done = (): void => void this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }

  async #settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay]);
  }

  async #disconnect(): Promise<void> {
    await this.#client.disconnect().catch(() => undefined);
  }
}
