const CRC8 = table(8, 0x07);
const CRC16 = table(16, 0x8005);

function table(bits: number, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1);
  const mask = (1 << bits) - 1;
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8);
    for (let i = 0; i < 8; i += 1) crc = crc & top ? ((crc << 1) ^ polynomial) & mask : (crc << 1) & mask;
    return crc;
  });
}

/** Checksum of a frame's header. */
export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = CRC8[crc ^ byte] as number;
  return crc;
}

/** Checksum of a whole frame. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ byte] as number);
  return crc;
}
