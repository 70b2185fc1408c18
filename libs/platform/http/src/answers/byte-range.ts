type RangeAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const MAX_HEADER_LENGTH = 256;
const SPEC = /^(\d*)-(\d*)$/;

/**
 * The range requested of `size` bytes (RFC 9110, 14): one range is honoured; several valid ones, other units and
 * malformed headers get the whole content (decisions, Content response).
 */
export function byteRange(header: string | undefined, size: number): RangeAnswer {
  if (header === undefined) return { kind: 'whole' };
  if (header.length > MAX_HEADER_LENGTH) return { kind: 'unsatisfiable' };
  const specs = /^bytes=(.+)$/i
    .exec(header.trim())?.[1]
    ?.split(',')
    .map((part) => part.trim());
  if (specs === undefined || specs.length !== 1) return { kind: 'whole' };
  const [, first = '', last = ''] = SPEC.exec(specs[0]!) ?? [];
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffix(length: number, size: number): RangeAnswer {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', start: Math.max(0, size - length), end: size - 1 };
}
