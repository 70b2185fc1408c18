/** HEDDLE_URL_EXPIRY: `timestamp` is now + 24 h, which every client can parse; `null` means that links do not end. */
export type UrlExpiry = 'timestamp' | 'null';

const DAY_MS = 86_400_000;
let rendered = { second: 0, text: '' };

/**
 * `url_expires_at` of a link written now (decisions, Assets: url): links of this surface work as long as their asset
 * exists, so promising a day is safe. In whole seconds, so that all viewers of a job share one frame.
 */
export function urlExpiresAt(expiry: UrlExpiry): string | null {
  if (expiry === 'null') return null;
  const second = Math.floor((Date.now() + DAY_MS) / 1000);
  if (second !== rendered.second) rendered = { second, text: new Date(second * 1000).toISOString() };
  return rendered.text;
}
