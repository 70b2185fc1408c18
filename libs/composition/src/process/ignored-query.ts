import { ROUTES } from '@heddle/contracts-api-v2';

const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 64;

const KNOWN = new Map<string, ReadonlySet<string>>(
  ROUTES.map(({ method, path, query = [] }) => [`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, new Set(query)]),
);

/**
 * Names of query parameters that a route ignores, such as a misspelled one (decisions, List). Null if there are none.
 */
export function ignoredQuery(route: string, url: string): readonly string[] | null {
  const start = url.indexOf('?');
  if (start < 0) return null;
  const known = KNOWN.get(route);
  if (known === undefined) return null;
  const names = new Set(new URLSearchParams(url.slice(start)).keys());
  // `metadata[key]` is the parameter `metadata`.
  const ignored = [...names].filter((name) => !known.has(name.split('[', 1)[0]!));
  return ignored.length === 0 ? null : ignored.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
}
