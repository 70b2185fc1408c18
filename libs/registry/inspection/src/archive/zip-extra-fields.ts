import { ArchiveProblem, shown } from './archive-problem.js';

const ZIP64 = 0x0001;
const PLACEHOLDER = 0xffffffff;

/** The extra fields of a header by their id; the first of an id counts. */
export function extraFields(extra: Buffer, rawName: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  // Up to three bytes are left over by tools that align the data behind them.
  for (let at = 0; at + 4 <= extra.length;) {
    const id = extra.readUInt16LE(at);
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) {
      const name = shown(rawName.toString('utf8'));
      throw new ArchiveProblem(`The entry ${name} has an extra field that is cut short. Pack the package again.`);
    }
    if (!fields.has(id)) fields.set(id, extra.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

interface Sizes {
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
}

/** The sizes of a header; each that is a placeholder stands in the zip64 field, in this order. */
export function readZip64Sizes(fields: ReadonlyMap<number, Buffer>, name: string, header: Sizes): Sizes {
  const field = fields.get(ZIP64) ?? Buffer.alloc(0);
  let at = 0;
  const read = (value: number): number => {
    if (value !== PLACEHOLDER) return value;
    at += 8;
    if (at > field.length) {
      throw new ArchiveProblem(`The entry ${shown(name)} lacks a size in its zip64 field. Pack the package again.`);
    }
    return Number(field.readBigUInt64LE(at - 8));
  };
  return { size: read(header.size), packedSize: read(header.packedSize), offset: read(header.offset) };
}
