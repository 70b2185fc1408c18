const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Words that mean something else in the place of a label (accounts, Label, stage). */
const RESERVED: readonly string[] = ['stg', 'managed'];

/** Null: the label can be the first part of a host; else what is wrong. */
export function labelProblem(label: string): 'form' | 'reserved' | 'alphabet' | null {
  if (!LABEL.test(label)) return 'form';
  if (RESERVED.includes(label)) return 'reserved';
  // Such labels are names in another alphabet (IDNA).
  return label.slice(2, 4) === '--' ? 'alphabet' : null;
}
