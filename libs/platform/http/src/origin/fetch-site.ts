/** Values that browsers send for requests not caused by another site's page. */
const OWN: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none']);

/**
 * True if `Sec-Fetch-Site` has one of these values or is missing, as from a program. An allow list: no other spelling
 * of `cross-site`, alone or beside a good value in a repeated header, may pass.
 */
export function isFromOwnSite(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return true;
  return String(header)
    .split(',')
    .every((value) => OWN.has(value.trim().toLowerCase()));
}
