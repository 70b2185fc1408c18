import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { blake3 } from '@napi-rs/blake-hash';

/** `blake3:` and the hash of the bytes, as the server reports it. */
export function blake3Of(bytes: Uint8Array): string {
  return `blake3:${blake3(Buffer.from(bytes)).toString('hex')}`;
}

/** Bytes that no server has seen before. */
export function freshBytes(length = 1024): Buffer {
  return randomBytes(length);
}

/** A small RGB image with random pixels: new to every server, readable by LoadImage. */
export function freshPicture(width = 8, height = 6): Buffer {
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y += 1) rows.push(Buffer.from([0]), randomBytes(width * 3));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
