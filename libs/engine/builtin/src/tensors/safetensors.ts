import { NodeError } from '../execution/node-error.js';
import { sampleCount, Tensor } from '../values/tensor.js';

const MAX_HEADER = 16 * 1024 * 1024;
const ALIGNMENT = 8;

/** A file in the safetensors form: named float32 tensors and texts about them. */
export function writeSafetensors(
  tensors: readonly (readonly [string, Tensor])[],
  metadata: readonly (readonly [string, string])[],
): readonly Uint8Array[] {
  const header: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (metadata.length > 0) header['__metadata__'] = Object.fromEntries(metadata);
  let end = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header), 'utf8');
  const padded = Buffer.alloc(Math.ceil(text.length / ALIGNMENT) * ALIGNMENT, ' ');
  text.copy(padded);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const blocks = tensors.map(([, { data }]) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return [length, padded, ...blocks];
}

/** The tensors of such a file by name; only 32-bit and 16-bit floats are read. */
export function readSafetensors(file: Buffer): ReadonlyMap<string, Tensor> {
  const size = file.length >= 8 ? Number(file.readBigUInt64LE(0)) : Infinity;
  if (size > MAX_HEADER || size > file.length - 8) throw broken('header too large');
  const header = parseHeader(file.toString('utf8', 8, 8 + size));
  const found = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name !== '__metadata__') found.set(name, readTensor(entry, file.subarray(8 + size)));
  }
  return found;
}

function parseHeader(text: string): object {
  try {
    const header: unknown = JSON.parse(text);
    if (typeof header === 'object' && header !== null) return header;
  } catch {
    // Told below like any other broken header.
  }
  throw broken('invalid JSON in header');
}

function readTensor(entry: unknown, bytes: Buffer): Tensor {
  const { dtype, shape, data_offsets: offsets } = entry as { dtype?: unknown; shape?: unknown; data_offsets?: unknown };
  if (!isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) throw broken('invalid tensor');
  const [start = 0, end = 0] = offsets;
  const width = dtype === 'F32' ? 4 : dtype === 'F16' || dtype === 'BF16' ? 2 : 0;
  const count = sampleCount(shape);
  if (width === 0) throw broken(`tensors of ${String(dtype)} are not read`);
  if (end > bytes.length || end - start !== count * width) throw broken('tensor out of bounds');
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    if (width === 4) data[i] = view.getFloat32(i * 4, true);
    else data[i] = dtype === 'F16' ? halfFloat(view.getUint16(i * 2, true)) : upperHalf(view.getUint16(i * 2, true));
  }
  return new Tensor(shape, data);
}

function halfFloat(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

function upperHalf(bits: number): number {
  word[0] = bits << 16;
  return single[0] as number;
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && (item as number) >= 0);
}

function broken(what: string): NodeError {
  return new NodeError('SafetensorError', `Error while deserializing: ${what}`);
}
