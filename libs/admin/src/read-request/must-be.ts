import { NearestName } from '@heddle/workflow-graph/nearest-name';

/** What a field must be, with the word that a mistyped one may mean. */
export function mustBe(words: readonly string[], given: unknown): string {
  const nearest = typeof given === 'string' ? new NearestName(words).of(given) : null;
  return `must be ${words.join(' or ')}${nearest === null ? '' : `; did you mean ${nearest}?`}`;
}
