import type { IncomingMessage } from 'node:http';
import { BUNDLE_TYPE } from '../wire/call-headers.js';
import { bundleOfAnswers, callsOf } from '../wire/bundle.js';
import type { BundledAnswer, ReceivedCall } from '../wire/bundle.js';
import { MalformedParcelError } from '../wire/parcel.js';
import type { Parcel, ReceivedParcel } from '../wire/parcel.js';

/** Calls that are served at once for one request. */
const MAX_CALLS = 256;

export function isBundle(request: IncomingMessage): boolean {
  return request.headers['content-type'] === BUNDLE_TYPE;
}

/** Serves every call of a bundle; `serveOne` does not throw. All are answered together. */
export async function serveBundle(
  parcel: ReceivedParcel,
  serveOne: (call: ReceivedCall) => Promise<BundledAnswer>,
): Promise<Parcel> {
  const calls = callsOf(parcel);
  if (calls.length > MAX_CALLS) throw new MalformedParcelError(`a bundle has at most ${MAX_CALLS} calls`);
  return bundleOfAnswers(await Promise.all(calls.map(serveOne)));
}
