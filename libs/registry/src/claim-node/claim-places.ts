import { AllowedTargets, targetFault } from '@heddle/platform-outbound';
import type { TargetRules } from '@heddle/platform-outbound';

/** Name of the file that shows a challenge, at the top of the repository. */
export const CLAIM_FILE = '.heddle-claim';
const WELL_KNOWN = '/.well-known/heddle-claim';
/** A repository may be written with http: its places are read over HTTPS all the same. */
const RULES: TargetRules = { schemes: ['http:', 'https:'], allowed: AllowedTargets.NONE, ownHosts: [] };

/**
 * Where the challenge of a repository may stand: in the repository, or at its origin. Null: its host is none of `forges`, or
 * the URL is one that is not called (registry decisions, claim-my-node).
 */
export function claimPlaces(repository: string, forges: readonly string[]): readonly URL[] | null {
  const url = new URL(repository);
  const { host, hostname } = url;
  const isForge = forges.some((forge) => forge === host || forge === hostname);
  if (!isForge || targetFault(repository, RULES) !== null) return null;
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const origin = `https://${host}`;
  return [new URL(`${origin}${path}/raw/HEAD/${CLAIM_FILE}`), new URL(`${origin}${WELL_KNOWN}`)];
}

/** Whether a file holds a challenge: one of its lines is it. */
export function holdsChallenge(text: string, challenge: string): boolean {
  return text.split('\n').some((line) => line.trim() === challenge);
}
