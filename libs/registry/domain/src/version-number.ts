const MAX_LENGTH = 64;
const FORM = /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?(?:-([0-9A-Za-z.-]+))?$/;
const IDENTIFIER = /^(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)$/;

/** As refusals say it to every reader of a version. */
export const VERSION_RULE =
  'must be X.Y.Z or X.Y.Z-pre with numbers of at most 9 digits without leading zeros, and no "+build"';

/** A version of a node: semantic versioning without build metadata. */
export interface VersionNumber {
  /** `X.Y.Z[-pre]`, as it is stored and answered. */
  readonly text: string;
  readonly isPrerelease: boolean;
  /** Texts of this kind have the order of the versions, compared by code point. */
  readonly sortKey: string;
}

/** Reads `1.2.3`, `v1.2.3`, `1.2` and `1.2.3-pre.1`; null for anything else (registry decisions, Version). */
export function parseVersion(given: string): VersionNumber | null {
  const found = given.length <= MAX_LENGTH ? FORM.exec(given) : null;
  if (found === null) return null;
  const [, major, minor, patch = '0', pre] = found;
  const identifiers = pre?.split('.') ?? [];
  if (!identifiers.every((one) => IDENTIFIER.test(one))) return null;
  const core = [major!, minor!, patch];
  const text = core.join('.') + (pre === undefined ? '' : `-${pre}`);
  if (text.length > MAX_LENGTH) return null;
  const numbers = core.map((number) => number.padStart(9, '0')).join('');
  return { text, isPrerelease: pre !== undefined, sortKey: numbers + preKey(identifiers) };
}

/**
 * A release comes after its prereleases: `~` is behind every other character used. Of identifiers numbers come first,
 * by their length and digits; a list that goes on comes after its beginning, as the space is before every character of
 * an id.
 */
function preKey(identifiers: readonly string[]): string {
  if (identifiers.length === 0) return '~';
  return identifiers
    .map((one) => (/^\d+$/.test(one) ? `0${String(one.length).padStart(2, '0')}${one}` : `1${one}`))
    .join(' ');
}
