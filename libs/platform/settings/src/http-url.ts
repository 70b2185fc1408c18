/**
 * What is wrong with a URL that must lead to an HTTP server, as the end of a sentence; null: nothing. A user or a password in it
 * is refused: the URL is shown to operators, and no HTTP client sends them.
 */
export function httpUrlFault(text: string): string | null {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'is not an http URL';
  return url.username === '' && url.password === '' ? null : 'holds a user or a password';
}

/** A URL for people: terminals and logs are recorded, so it has no user, password or query. */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href.replace(/\/$/, '');
}
