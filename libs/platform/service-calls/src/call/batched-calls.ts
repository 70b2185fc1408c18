import type { MethodDefinition } from '@grpc/grpc-js';
import { currentCallContext } from '@heddle/platform-telemetry';
import { errorOf } from './call-status.js';
import type { CallFailure } from '../call-failure.js';
import type { ServiceChannel } from './service-channel.js';

/** Concurrent messages before further calls form a batch */
const UNDER_WAY = 2;
/** Maximum wait of a call in a batch, so that one hanging process does not delay other calls. */
const MAX_WAIT_MS = 20;
/** Limit on the items of one message */
const MAX_ITEMS = 64;
const MAX_BYTES = 512 * 1024;
/** Larger items are sent alone: batching pays off only for small ones. */
const LARGE_BYTES = 64 * 1024;

/** The request that caused an item */
interface Origin {
  readonly requestId: string;
  readonly traceparent: string | undefined;
}

interface BatchRules<Item, Answer, Request, Response> {
  readonly method: MethodDefinition<Request, Response>;
  /** Deadline of a message, counted from its first item */
  readonly deadlineMs?: number;
  bytesOf(item: Item): number;
  requestOf(items: Item[]): Request;
  /** Answers in the order of the items */
  answersIn(response: Response): readonly Answer[];
  /** The failure of one item, if it failed */
  failureIn(answer: NoInfer<Answer>): CallFailure | undefined;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly bytes: number;
  readonly since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Batches calls like a group commit. A call is sent at once while fewer than two messages are under way; later calls share
 * the next message. Under load, the message is most of the cost of a small call.
 */
export class BatchedCalls<Item, Answer, Request, Response> {
  #waiting: Waiting<Item, Answer>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: NodeJS.Immediate | null = null;

  constructor(
    private readonly channel: ServiceChannel,
    private readonly rules: BatchRules<Item, Answer, Request, Response>,
  ) {}

  async call(itemOf: (origin: Origin | undefined) => Item): Promise<Answer> {
    return await this.channel.watch(this.rules.method.path, async () => await this.#add(itemOf(originNow())));
  }

  #add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const bytes = this.rules.bytesOf(item);
      const waiting = { item, bytes, since: performance.now(), resolve, reject };
      if (bytes > LARGE_BYTES) {
        void this.#send([waiting]);
        return;
      }
      this.#waiting.push(waiting);
      // Waits for the other requests that this turn of the event loop reads.
      this.#flushing ??= setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    this.#flushing = null;
    while (this.#waiting.length > 0 && (this.#underWay < UNDER_WAY || this.#isLate())) {
      this.#underWay += 1;
      void this.#send(this.#take()).finally(() => {
        this.#underWay -= 1;
        this.#flush();
      });
    }
    if (this.#waiting.length === 0 || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, MAX_WAIT_MS);
  }

  #isLate(): boolean {
    return performance.now() - this.#waiting[0]!.since >= MAX_WAIT_MS;
  }

  #take(): Waiting<Item, Answer>[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.#waiting) {
      if (count === MAX_ITEMS || (count > 0 && bytes + one.bytes > MAX_BYTES)) break;
      bytes += one.bytes;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const { method, deadlineMs, requestOf, answersIn, failureIn } = this.rules;
    try {
      const request = requestOf(batch.map(({ item }) => item));
      const answers = answersIn(await this.channel.send(method, request, deadlineMs));
      if (answers.length !== batch.length) throw new Error(`${method.path} did not answer every item of its message`);
      answers.forEach((answer, at) => {
        const { resolve, reject } = batch[at]!;
        const failure = failureIn(answer);
        if (failure === undefined) resolve(answer);
        else reject(errorOf(this.channel.service, failure));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function originNow(): Origin | undefined {
  const context = currentCallContext();
  return context === null ? undefined : { requestId: context.requestId, traceparent: context.traceparent ?? undefined };
}
