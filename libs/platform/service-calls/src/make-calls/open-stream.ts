import { STREAM_HEAD } from '../wire/call-headers.js';
import { MalformedParcelError } from '../wire/parcel.js';
import { AttemptFailed } from './call-errors.js';
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
}

/** Sends the request and waits until its answer begins. */
export async function openStream(target: CallTarget, request: StreamRequest): Promise<OpenStream> {
  const { service, path, head, headers, limitMs, stallMs } = request;
  const exchange = new StreamExchange(service, stallMs);
  const late = new AttemptFailed('late', `no answer of ${target.origin} in ${Math.round(limitMs)} ms`);
  const timer = setTimeout(() => exchange.giveUp(late), limitMs);
  try {
    const body = Buffer.from(JSON.stringify(head) ?? 'null');
    target.streams.dispatch({ method: 'POST', path, headers, body }, exchange);
    return await exchange.opened;
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
