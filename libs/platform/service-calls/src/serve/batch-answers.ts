import { status } from '@grpc/grpc-js';
import { parseTraceparent, withCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import { failureOf, MalformedCallError } from './call-failures.js';
import type { CallFailure } from '../call-failure.js';
import type { FailureOptions } from './call-failures.js';
import { safeId, servedCall, spanOf } from './served-call.js';

/** One call of a batch, with the request that caused it */
interface BatchItem {
  readonly origin?: { readonly requestId: string; readonly traceparent?: string | undefined } | undefined;
}

interface BatchAnswersOptions extends FailureOptions {
  readonly tracer?: Tracer | null;
}

/** Limit on the items of one message */
const MAX_ITEMS = 256;

/** Serves the calls of a batch separately: each in its own trace, with its own failure. */
export class BatchAnswers {
  constructor(private readonly options: BatchAnswersOptions) {}

  async of<Item extends BatchItem, Answer>(
    items: readonly Item[],
    serve: (item: Item) => Promise<Answer>,
    failed: (failure: CallFailure) => Answer,
  ): Promise<Answer[]> {
    if (items.length > MAX_ITEMS) throw new MalformedCallError(`a message has at most ${MAX_ITEMS} items`);
    return await Promise.all(items.map((item) => this.#answer(item, serve, failed)));
  }

  async #answer<Item extends BatchItem, Answer>(
    item: Item,
    serve: (item: Item) => Promise<Answer>,
    failed: (failure: CallFailure) => Answer,
  ): Promise<Answer> {
    const requestId = safeId(item.origin?.requestId);
    const parent = parseTraceparent(item.origin?.traceparent);
    const span = spanOf(this.options, servedCall(), parent);
    let code: number = status.OK;
    return await withCallContext({ requestId, traceparent: span?.traceparent ?? parent }, async () => {
      try {
        return await serve(item);
      } catch (error) {
        const failure = failureOf(error, this.options);
        code = failure.status;
        return failed(failure);
      } finally {
        const failure = code === status.OK ? undefined : status[code];
        span?.end({ 'rpc.grpc.status_code': code, 'heddle.request_id': requestId, 'error.type': failure });
      }
    });
  }
}
