const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Words that mean something else in the place of a label (accounts, Label, stage). */
const RESERVED: readonly string[] = ['stg', 'managed'];

/** Null: the label can be the first part of a host; else what is wrong, as a sentence. */
export function labelFault(label: string): string | null {
  if (!LABEL.test(label))
    return 'A label has 1 to 63 characters of a-z, 0-9 and -, and neither begins nor ends with -.';
  if (RESERVED.includes(label)) return `The label ${label} is reserved.`;
  // Such labels are names in another alphabet (IDNA).
  return label.slice(2, 4) === '--' ? 'A label must not have -- as its third and fourth character.' : null;
}
