import { isRecord, parseJson } from '../calls/json-shape.js';

/** A file that is not valid safetensors; the message says why. */
export class NotSafetensors extends Error {}

const LENGTH_BYTES = 8;
/** Far above every real header (a few MiB at most), far below what would do harm. */
const LARGEST_HEADER = 32 * 1024 * 1024;
const ELEMENT_BITS: Readonly<Record<string, number>> = {
  BOOL: 8,
  U8: 8,
  I8: 8,
  F8_E4M3: 8,
  F8_E5M2: 8,
  F8_E8M0: 8,
  F4: 4,
  I16: 16,
  U16: 16,
  F16: 16,
  BF16: 16,
  I32: 32,
  U32: 32,
  F32: 32,
  C64: 64,
  F64: 64,
  I64: 64,
  U64: 64,
};

/**
 * Passes a safetensors file on once its header was checked: tensors of known types that fill the rest of the file
 * without gap or overlap. Nothing is passed on before, so that a disguised pickle never reaches a disk.
 * @throws NotSafetensors
 */
export async function* checkedSafetensors(source: AsyncIterable<Buffer>, sizeBytes: number): AsyncGenerator<Buffer> {
  let head: Buffer[] | null = [];
  let seen = 0;
  let needed = LENGTH_BYTES;
  for await (const chunk of source) {
    seen += chunk.length;
    if (head === null) {
      yield chunk;
      continue;
    }
    head.push(chunk);
    if (seen < needed) continue;
    const start = Buffer.concat(head);
    needed = headerEnd(start, sizeBytes);
    if (seen < needed) {
      head = [start];
      continue;
    }
    checkHeader(start.toString('utf8', LENGTH_BYTES, needed), sizeBytes - needed);
    head = null;
    yield start;
  }
  if (head !== null || seen !== sizeBytes) throw new NotSafetensors('the file ends before its last tensor');
}

function headerEnd(start: Buffer, sizeBytes: number): number {
  const length = start.readBigUInt64LE(0);
  if (length < 2n || length > BigInt(Math.min(LARGEST_HEADER, sizeBytes - LENGTH_BYTES))) {
    throw new NotSafetensors('the file does not start with the length of a safetensors header');
  }
  return LENGTH_BYTES + Number(length);
}

function checkHeader(text: string, dataBytes: number): void {
  const header = parseJson(text);
  if (!isRecord(header)) throw new NotSafetensors('the safetensors header is not a JSON object');
  const spans = Object.entries(header).flatMap(([name, tensor]) => (name === '__metadata__' ? [] : [spanOf(tensor)]));
  let end = 0;
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (from !== end) throw new NotSafetensors('the tensors of the file leave a gap or overlap');
    end = to;
  }
  if (end !== dataBytes) throw new NotSafetensors('the tensors do not fill the file');
}

function spanOf(tensor: unknown): readonly [number, number] {
  const { dtype, shape, data_offsets: offsets } = isRecord(tensor) ? tensor : {};
  const bits = typeof dtype === 'string' && Object.hasOwn(ELEMENT_BITS, dtype) ? ELEMENT_BITS[dtype] : undefined;
  if (bits === undefined || !isNaturals(shape) || !isNaturals(offsets) || offsets.length !== 2) {
    throw new NotSafetensors('a tensor has no known type, shape or offset');
  }
  const [from = 0, to = 0] = offsets;
  const elements = shape.reduce((product, side) => product * side, 1);
  if (to - from !== Math.ceil((elements * bits) / 8))
    throw new NotSafetensors('a tensor has another size than its shape');
  return [from, to];
}

function isNaturals(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= 64 && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}
