import { plainText } from '../terminal/plain-text.js';

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_BYTES = 180;

/** Makes a server's file name safe: no folders, no hidden files, no reserved names. */
export function safeName(suggested: string, fallback: string): string {
  const last = plainText(suggested.replaceAll('\\', '/').split('/').at(-1) ?? '');
  const cleaned = last
    .normalize('NFC')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const named =
    cleaned === '' || RESERVED.test(cleaned) ? `${fallback}${cleaned === '' ? '' : `-${cleaned}`}` : cleaned;
  return shortened(named);
}

/** `name.png`, then `name-2.png`, `name-3.png`. */
export function numbered(name: string, count: number): string {
  if (count === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-${count}${name.slice(dot)}` : `${name}-${count}`;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  let stem = name.slice(0, name.length - ending.length);
  while (Buffer.byteLength(stem + ending) > MAX_BYTES) stem = [...stem].slice(0, -1).join('');
  return stem + ending;
}
