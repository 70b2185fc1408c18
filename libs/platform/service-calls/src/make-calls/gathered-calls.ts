import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import type { CallContext } from '@heddle/platform-telemetry';
import { answersOf, bundleOf } from '../wire/bundle.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import { AttemptFailed, CallRefusedError, errorOfRefusal, ServiceAwayError } from './call-errors.js';
import type { PlainCall } from './call-kinds.js';

/** Requests of one path that are under way before further calls wait for each other. */
const UNDER_WAY = 2;
/** So long a call waits at most, however slow those under way are: one process that hangs holds nobody up. */
const MAX_WAIT_MS = 20;
/** Of one request. */
const MAX_CALLS = 64;
const MAX_BYTES = 512 * 1024;
/** A call with more bytes goes by itself: what it costs is not its request. */
const LARGE_BYTES = 64 * 1024;

interface Waiting {
  readonly call: PlainCall;
  readonly bytes: number;
  readonly context: CallContext | null;
  readonly since: number;
  readonly resolve: (answer: ReceivedParcel | Promise<ReceivedParcel>) => void;
  readonly reject: (error: unknown) => void;
}

export interface Sender {
  readonly service: string;
  /** One call in a request of its own. */
  alone(call: PlainCall): Promise<ReceivedParcel>;
  /** One request for the bundle that the call carries. */
  bundled(call: PlainCall): Promise<ReceivedParcel>;
}

/**
 * As a group commit: a call goes at once while the service has little in hand, and what comes while two requests of its
 * path are under way shares the next one. Under load most of what a small call costs is its request.
 */
export class GatheredCalls {
  readonly #lanes = new Map<string, Lane>();

  constructor(private readonly sender: Sender) {}

  async call(call: PlainCall): Promise<ReceivedParcel> {
    const bytes = (call.bytes ?? []).reduce((sum, piece) => sum + piece.length, 0);
    if (bytes > LARGE_BYTES) return await this.sender.alone(call);
    let lane = this.#lanes.get(call.path);
    if (lane === undefined) this.#lanes.set(call.path, (lane = new Lane(this.sender)));
    return await lane.add(call, bytes);
  }
}

/** The calls of one path. */
class Lane {
  #waiting: Waiting[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: NodeJS.Immediate | null = null;

  constructor(private readonly sender: Sender) {}

  add(call: PlainCall, bytes: number): Promise<ReceivedParcel> {
    return new Promise((resolve, reject) => {
      const context = currentCallContext();
      this.#waiting.push({ call, bytes, context, since: performance.now(), resolve, reject });
      // After whatever else this turn of the event loop reads from its sockets.
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

  #take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.#waiting) {
      if (count === MAX_CALLS || (count > 0 && bytes + one.bytes > MAX_BYTES)) break;
      bytes += one.bytes;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 1) return await this.#alone(batch[0]!);
    try {
      const answers = answersOf(await this.sender.bundled(bundledCall(batch)), batch.length);
      answers.forEach((answer, at) => {
        const { resolve, reject } = batch[at]!;
        if ('failure' in answer) reject(this.#errorOf(answer.failure));
        else resolve(answer);
      });
    } catch (error) {
      // An older version of the service does not know bundles: nothing of it was carried out.
      if (error instanceof CallRefusedError && error.status === 400) {
        await Promise.all(batch.map((one) => this.#alone(one)));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  /** In the context of whoever made it: the lane may be emptied by another. */
  async #alone({ call, context, resolve, reject }: Waiting): Promise<void> {
    const send = (): Promise<ReceivedParcel> => this.sender.alone(call);
    await (context === null ? send() : withCallContext(context, send)).then(resolve, reject);
  }

  #errorOf(failure: Parameters<typeof errorOfRefusal>[1]): Error {
    const error = errorOfRefusal(this.sender.service, failure);
    if (!(error instanceof AttemptFailed)) return error;
    return new ServiceAwayError(this.sender.service, error.message, error.mayHaveActed, error);
  }
}

/** One call for all; what is left to the first of them is the time for everybody. */
function bundledCall(batch: readonly Waiting[]): PlainCall {
  const [{ call, since }] = batch as [Waiting];
  const { path, repeatable, deadlineMs, answerBytes } = call;
  const parcel = bundleOf(
    batch.map(({ call: { head, bytes }, context }) => ({
      head,
      bytes,
      requestId: context?.requestId ?? null,
      traceparent: context?.traceparent ?? null,
    })),
  );
  const left = deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - (performance.now() - since));
  return { ...parcel, path, repeatable, deadlineMs: left, answerBytes };
}
