const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 (IEEE) of the first `length` characters of an ASCII text. */
export function crc32(text: string, length: number): number {
  let value = 0xffffffff;
  for (let at = 0; at < length; at++) value = TABLE[(value ^ text.charCodeAt(at)) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
