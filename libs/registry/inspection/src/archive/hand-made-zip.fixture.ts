import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip that is made by hand; what is not given is right. */
export interface HandMadeEntry {
  readonly name: string | Buffer;
  readonly data?: Buffer | string;
  readonly flags?: number;
  readonly method?: number;
  readonly mode?: number;
  /** What the directory declares. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc32?: number;
  readonly extra?: Buffer;
  readonly offset?: number;
  /** Its record is not in the directory. */
  readonly unlisted?: boolean;
  /** What the local header says instead. */
  readonly local?: {
    name?: string;
    size?: number;
    packedSize?: number;
    crc32?: number;
    flags?: number;
    method?: number;
    extra?: Buffer;
  };
}

export function handMadeZip(
  entries: readonly HandMadeEntry[],
  end: { count?: number; start?: number; bytes?: number; disk?: number } = {},
): Buffer {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data ?? 'x = 1\n');
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(data) : data;
    const fields = {
      flags: entry.flags ?? 0x0800,
      method,
      crc32: entry.crc32 ?? crc32(data),
      packedSize: entry.packedSize ?? packed.length,
      size: entry.size ?? data.length,
      extra: entry.extra ?? Buffer.alloc(0),
    };
    const local = { ...fields, extra: Buffer.alloc(0), ...entry.local };
    const localName = Buffer.from(entry.local?.name ?? name);
    locals.push(Buffer.concat([header(0x04034b50, local, localName), localName, local.extra, packed]));
    const record = Buffer.concat([header(0x02014b50, fields, name), name, fields.extra]);
    record.writeUInt16LE(0x031e, 4);
    record.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
    record.writeUInt32LE(entry.offset ?? offset, 42);
    if (entry.unlisted !== true) records.push(record);
    offset += locals[locals.length - 1]!.length;
  }
  const directory = Buffer.concat(records);
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(0x06054b50, 0);
  tail.writeUInt16LE(end.disk ?? 0, 4);
  tail.writeUInt16LE(end.count ?? records.length, 8);
  tail.writeUInt16LE(end.count ?? records.length, 10);
  tail.writeUInt32LE(end.bytes ?? directory.length, 12);
  tail.writeUInt32LE(end.start ?? offset, 16);
  return Buffer.concat([...locals, directory, tail]);
}

type Fields = { flags: number; method: number; crc32: number; packedSize: number; size: number; extra: Buffer };

/** A local header, or a record of the directory, which has two bytes more before the same fields and others behind them. */
function header(signature: number, fields: Fields, name: Buffer): Buffer {
  const shift = signature === 0x02014b50 ? 2 : 0;
  const buffer = Buffer.alloc(shift === 2 ? 46 : 30);
  buffer.writeUInt32LE(signature, 0);
  buffer.writeUInt16LE(20, 4 + shift);
  buffer.writeUInt16LE(fields.flags, 6 + shift);
  buffer.writeUInt16LE(fields.method, 8 + shift);
  buffer.writeUInt32LE(fields.crc32, 14 + shift);
  buffer.writeUInt32LE(fields.packedSize, 18 + shift);
  buffer.writeUInt32LE(fields.size, 22 + shift);
  buffer.writeUInt16LE(name.length, 26 + shift);
  buffer.writeUInt16LE(fields.extra.length, 28 + shift);
  return buffer;
}
