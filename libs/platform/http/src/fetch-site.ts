/** What a browser says of requests that no page of another site caused. */
const OWN: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none']);

/**
 * Whether `Sec-Fetch-Site` says so, or is missing, as from a program. Only the good values pass: another spelling of
 * `cross-site`, or that beside a good one in a header that came twice, must not.
 */
export function isFromOwnSite(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return true;
  return String(header)
    .split(',')
    .every((value) => OWN.has(value.trim().toLowerCase()));
}
