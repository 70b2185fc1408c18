interface RequestedRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** The single byte range requested of `size` bytes; null for the whole file, `bad` if it cannot be satisfied. */
export function byteRangeOf(header: string | null, size: number): RequestedRange | null | 'bad' {
  if (header === null) return null;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  const [, from = '', to = ''] = match ?? [];
  if (match === null || (from === '' && to === '')) return 'bad';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'bad' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first >= size || last < first ? 'bad' : { first, last };
}
