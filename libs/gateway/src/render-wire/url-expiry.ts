/** HEDDLE_URL_EXPIRY: `timestamp` is now + 24 h, which every client can read; `null` says that links do not end. */
export type UrlExpiry = 'timestamp' | 'null';

const DAY_MS = 86_400_000;
let rendered = { second: 0, text: '' };

/**
 * `url_expires_at` of a link that is written now (decisions, Assets: url): links of this surface work for as long as their
 * asset lives, so a day is a promise that always holds. In whole seconds, so that all viewers of a job share one frame.
 */
export function urlExpiresAt(expiry: UrlExpiry): string | null {
  if (expiry === 'null') return null;
  const second = Math.floor((Date.now() + DAY_MS) / 1000);
  if (second !== rendered.second) rendered = { second, text: new Date(second * 1000).toISOString() };
  return rendered.text;
}
