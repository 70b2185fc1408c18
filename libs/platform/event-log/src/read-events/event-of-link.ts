import { NIL_UUID } from '@heddle/contracts-messages';
import { POSTGRES_EPOCH_MS } from '@heddle/platform-database';
import type { StoredEvent } from './stored-event.js';

const DIGEST_BYTES = 32;

/**
 * Rebuilds the event of a number whose partition was detached from its link: the envelope, and the digest of the
 * payload. The inverse of `EVENT_LINK`; status and trace are not part of a link.
 */
export function eventOfLink(link: Buffer): StoredEvent {
  let at = 0;
  const uuid = (): string => {
    const hex = link.toString('hex', at, (at += 16));
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  const int64 = (): number => Number(link.readBigInt64BE((at += 8) - 8));
  const text = (): string => {
    const end = link.indexOf(0, at);
    const found = link.toString('utf8', at, end);
    at = end + 1;
    return found;
  };
  const orNull = (value: number): number | null => (value === -1 ? null : value);
  const [eventId, streamId] = [uuid(), uuid()];
  const [version, schemaVersion] = [link.readInt32BE((at += 4) - 4), link.readInt16BE((at += 2) - 2)];
  const [accountId, deploymentId] = [uuid(), uuid()];
  const [fence, workerSeq] = [orNull(int64()), orNull(int64())];
  const isTerminal = link.readUInt8(at++) === 1;
  const recordedAt = new Date(Number(link.readBigInt64BE((at += 8) - 8) / 1_000n) + POSTGRES_EPOCH_MS).toISOString();
  const causationId = uuid();
  const [type, correlationId] = [text(), text()];
  return {
    eventId,
    streamId,
    version,
    type,
    schemaVersion,
    accountId,
    deploymentId,
    fence,
    workerSeq,
    isTerminal,
    recordedAt,
    correlationId: correlationId === '' ? null : correlationId,
    causationId: causationId === NIL_UUID ? null : causationId,
    data: null,
    dataDigest: link.subarray(at, at + DIGEST_BYTES),
    status: null,
    traceparent: null,
  };
}
