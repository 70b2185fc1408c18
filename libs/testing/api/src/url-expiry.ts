/** An answer, or a part of one, without `url_expires_at`, which depends on the time of each answer. */
export function withoutUrlExpiry(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => (key === 'url_expires_at' ? undefined : value));
  return JSON.parse(text) as unknown;
}
