import { cutBytes, MalformedParcelError } from './parcel.js';
import type { Parcel, ReceivedParcel } from './parcel.js';

/** The answer to a call that failed. */
export interface FailureParcel {
  readonly failure: { readonly status: number; readonly code: string; readonly message: string };
}

/** One of several calls that share a request, with what a request of its own would say in headers. */
export interface BundledCall extends Parcel {
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

export interface ReceivedCall extends ReceivedParcel {
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** The answer to one of them; that one fails says nothing of the others. */
export type BundledAnswer = Parcel | FailureParcel;

interface WireBundle {
  readonly items: readonly Record<string, unknown>[];
  /** Of the bytes of each, one behind the other. */
  readonly lengths: readonly number[];
}

export function bundleOf(calls: readonly BundledCall[]): Parcel {
  return bundle(calls, ({ head, requestId, traceparent }) => ({ head, requestId, traceparent }));
}

export function callsOf(parcel: ReceivedParcel): ReceivedCall[] {
  return open(parcel).map(([{ head, requestId, traceparent }, bytes]) => ({
    head,
    bytes,
    requestId: typeof requestId === 'string' ? requestId : null,
    traceparent: typeof traceparent === 'string' ? traceparent : null,
  }));
}

export function bundleOfAnswers(answers: readonly BundledAnswer[]): Parcel {
  return bundle(answers, (answer) => ('failure' in answer ? { failure: answer.failure } : { head: answer.head }));
}

/** Throws MalformedParcelError where there are not as many as there were calls. */
export function answersOf(parcel: ReceivedParcel, count: number): (ReceivedParcel | FailureParcel)[] {
  const items = open(parcel);
  if (items.length !== count) throw new MalformedParcelError(`${items.length} answers to ${count} calls`);
  return items.map(([item, bytes]) =>
    'failure' in item ? (item as unknown as FailureParcel) : { head: item['head'], bytes },
  );
}

function bundle<P extends object>(parcels: readonly P[], item: (parcel: P) => object): Parcel {
  const pieces = parcels.map((parcel) => ('bytes' in parcel ? (parcel.bytes as Parcel['bytes']) : undefined) ?? []);
  const lengths = pieces.map((all) => all.reduce((sum, piece) => sum + piece.length, 0));
  return { head: { items: parcels.map(item), lengths }, bytes: pieces.flat() };
}

function open({ head, bytes }: ReceivedParcel): [Record<string, unknown>, Buffer][] {
  const { items, lengths } = (head ?? {}) as Partial<WireBundle>;
  const isWhole =
    Array.isArray(items) &&
    Array.isArray(lengths) &&
    items.length === lengths.length &&
    items.every((item) => typeof item === 'object' && item !== null) &&
    lengths.every((length) => Number.isSafeInteger(length) && length >= 0);
  if (!isWhole) throw new MalformedParcelError('the bundle names no calls, or not how long each is');
  const pieces = cutBytes(bytes, lengths);
  return items.map((item, at) => [item, pieces[at]!]);
}
