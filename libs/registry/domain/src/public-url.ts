/** Of a text of an acceptable length; the registry shows it to everybody. */
export const PUBLIC_URL_RULE = 'must be an http or https URL without a user name and a password';

/** Whether everybody may be shown a URL: no other scheme than http and https, and nobody's password. */
export function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
