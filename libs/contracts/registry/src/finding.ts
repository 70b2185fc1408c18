/** What the scan of a package found (registry decisions, Scan). */
export interface PackageFinding {
  readonly issue_type: FindingType;
  readonly severity: FindingSeverity;
  /** Path within the archive. */
  readonly file_path: string;
  /** Counted from 1; 0 for a finding about a whole file. */
  readonly line_number: number;
  /** At most 200 characters of the line. */
  readonly code_snippet: string;
  readonly message: string;
  readonly scanner: 'heddle';
}

/** `block` flags the version, `warn` does not. */
export type FindingSeverity = 'block' | 'warn';

/** How severe each type of finding is. */
export const FINDING_SEVERITIES = {
  'decoded-exec': 'block',
  'pip-install': 'block',
  binary: 'block',
  secret: 'block',
  'hidden-characters': 'block',
  archive: 'block',
  'eval-exec': 'warn',
  subprocess: 'warn',
  'network-at-import': 'warn',
  'write-outside': 'warn',
  'long-literal': 'warn',
} as const satisfies Record<string, FindingSeverity>;

/** `archive` is what only unpacking shows: a size that lies, a wrong checksum. */
export type FindingType = keyof typeof FINDING_SEVERITIES;
