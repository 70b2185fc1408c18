import { STREAM_HEAD } from '../wire/call-headers.js';
import { failureIn, ParcelReader } from '../wire/parcel-stream.js';
import { MalformedParcelError } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import { AttemptFailed, errorOfRefusal } from './call-errors.js';
import type { CallTarget } from './call-target.js';
import { StreamExchange } from './stream-exchange.js';
import type { OpenStream } from './stream-exchange.js';

interface StreamRequest {
  readonly service: string;
  readonly path: string;
  readonly head: unknown;
  readonly headers: string[];
  /** Milliseconds until the answer must have begun. */
  readonly limitMs: number;
  /** Milliseconds for which the answer may pause while more of it is wanted. */
  readonly stallMs: number;
  /** Cuts the stream at any time. */
  readonly signal: AbortSignal | null;
}

/** Sends the request and waits until its answer begins. */
export async function openStream(target: CallTarget, request: StreamRequest): Promise<OpenStream> {
  const { service, path, head, headers, limitMs, stallMs, signal } = request;
  const exchange = new StreamExchange(service, stallMs);
  const late = new AttemptFailed('late', `no answer of ${target.origin} in ${Math.round(limitMs)} ms`);
  const timer = setTimeout(() => exchange.giveUp(late), limitMs);
  const hangUp = (): void => exchange.giveUp(new Error('the call was given up by its caller'));
  if (signal?.aborted === true) hangUp();
  signal?.addEventListener('abort', hangUp, { once: true });
  try {
    const body = Buffer.from(JSON.stringify(head) ?? 'null');
    target.streams.dispatch({ method: 'POST', path, headers, body }, exchange);
    const stream = await exchange.opened;
    stream.body.once('close', () => signal?.removeEventListener('abort', hangUp));
    return stream;
  } catch (error) {
    signal?.removeEventListener('abort', hangUp);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export function readHead({ headers, body }: OpenStream): unknown {
  try {
    return JSON.parse(String(headers[STREAM_HEAD])) as unknown;
  } catch {
    body.destroy();
    throw new MalformedParcelError('the answer has no head');
  }
}

/** Reads until the answer ends; throws what the service says when it ended for a failure. */
export async function readParcels(
  { body }: OpenStream,
  service: string,
  onParcel: (parcel: ReceivedParcel) => void,
): Promise<void> {
  const reader = new ParcelReader();
  for await (const chunk of body) {
    for (const parcel of reader.push(chunk as Buffer)) {
      const failure = failureIn(parcel.head);
      if (failure !== null) throw errorOfRefusal(service, failure);
      onParcel(parcel);
    }
  }
}
