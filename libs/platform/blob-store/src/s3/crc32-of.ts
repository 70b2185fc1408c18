import { crc32 } from 'node:zlib';

/** CRC-32 over consecutive chunks in S3's encoding: four bytes, big-endian, base64. */
export function crc32Of(chunks: readonly Buffer[]): string {
  const sum = chunks.reduce((value, chunk) => crc32(chunk, value), 0);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return bytes.toString('base64');
}
