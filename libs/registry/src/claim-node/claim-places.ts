/** Name of the file that shows a challenge, at the top of the repository. */
export const CLAIM_FILE = '.heddle-claim';
const WELL_KNOWN = '/.well-known/heddle-claim';
const MIN_PORT = 1_024;

/**
 * Where the challenge of a repository may stand: in the repository, or at its origin. Null: its host is none of `forges`, or
 * the URL is one that is not called (registry decisions, claim-my-node).
 */
export function claimPlaces(repository: string, forges: readonly string[]): readonly URL[] | null {
  const url = new URL(repository);
  const { host, hostname, username, password, port } = url;
  const isCallable = username === '' && password === '' && (port === '' || Number(port) >= MIN_PORT);
  if (!isCallable || !forges.some((forge) => forge === host || forge === hostname)) return null;
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const origin = `https://${host}`;
  return [new URL(`${origin}${path}/raw/HEAD/${CLAIM_FILE}`), new URL(`${origin}${WELL_KNOWN}`)];
}

/** Whether a file holds a challenge: one of its lines is it. */
export function holdsChallenge(text: string, challenge: string): boolean {
  return text.split('\n').some((line) => line.trim() === challenge);
}
