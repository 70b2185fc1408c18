import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { WorkRequest } from '../generated/heddle/worker/v1/worker.js';

/** A worker splits its reports at 12 MiB, which is always fewer reports. */
const MAX_REPORTS = 1_000;
/** Four times the leases of a worker with the maximum number of slots. */
const MAX_LEASES = 4_096;
/** Fields at every depth. The largest message that the other limits allow has fewer than 30,000. */
const MAX_FIELDS = 65_536;

/** A message that is refused before decoding: decoding turns entries of a few bytes into objects of a hundred bytes. */
export class OversizedRequest {
  constructor(readonly details: string) {}
}

/** Nested messages, by field number */
interface Shape {
  readonly counted?: 'reports' | 'leases';
  readonly fields: Readonly<Record<number, Shape>>;
}

const PLAIN: Shape = { fields: {} };
const LEASE: Shape = { counted: 'leases', fields: {} };
const OUTCOME: Shape = { fields: { 1: PLAIN, 2: PLAIN, 3: PLAIN, 4: PLAIN, 5: PLAIN } };
const REPORT: Shape = {
  counted: 'reports',
  fields: { 1: PLAIN, 3: PLAIN, 4: PLAIN, 5: PLAIN, 6: PLAIN, 7: OUTCOME, 8: PLAIN, 9: PLAIN },
};
const REQUEST: Shape = {
  fields: {
    1: { fields: { 4: LEASE } },
    2: PLAIN,
    3: { fields: { 2: LEASE } },
    4: { fields: { 1: REPORT } },
    5: { fields: { 1: PLAIN } },
  },
};

/** Returns an unreadable message as one of unknown kind: it is counted and skipped, and the stream goes on. */
export function readRequest(bytes: Buffer): WorkRequest | OversizedRequest {
  try {
    const counts = { reports: 0, leases: 0, fields: 0 };
    const reader = new BinaryReader(bytes);
    return count(reader, REQUEST, reader.len, counts) ?? WorkRequest.decode(bytes);
  } catch {
    return { kind: undefined };
  }
}

/** Counts as the generated decoder reads: a zero tag or an end-group tag ends a message. */
function count(
  reader: BinaryReader,
  { fields }: Shape,
  end: number,
  counts: { reports: number; leases: number; fields: number },
): OversizedRequest | null {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const wireType = (tag & 7) as WireType;
    counts.fields += 1;
    const inner = wireType === WireType.LengthDelimited ? fields[tag >>> 3] : undefined;
    if (inner?.counted !== undefined) counts[inner.counted] += 1;
    if (counts.reports > MAX_REPORTS) return oversized(MAX_REPORTS, 'reports');
    if (counts.leases > MAX_LEASES) return oversized(MAX_LEASES, 'leases');
    if (counts.fields > MAX_FIELDS) return oversized(MAX_FIELDS, 'fields');
    if (wireType === WireType.EndGroup || tag === 0) return null;
    if (inner === undefined) reader.skip(wireType);
    else {
      const length = reader.uint32();
      const over = count(reader, inner, reader.pos + length, counts);
      if (over !== null) return over;
    }
  }
  return null;
}

function oversized(limit: number, what: string): OversizedRequest {
  return new OversizedRequest(`A message of a worker holds at most ${limit} ${what}.`);
}
