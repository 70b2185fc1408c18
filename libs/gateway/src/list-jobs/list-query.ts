import {
  isIdempotencyKey,
  isLabelKey,
  JOB_STATUSES,
  LABEL_LIMITS,
  labelValueProblem,
  MAX_METADATA_FILTERS,
  PAGE_ENTRIES,
  QUERY_PROBLEMS,
} from '@heddle/contracts-api-v2';
import type { ErrorCase, QueryProblem } from '@heddle/contracts-api-v2';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobListQuery, JobStatus } from '@heddle/contracts-messages';

const SINGLE = ['limit', 'status', 'idempotency_key'] as const;

/** Parses the list's query (decisions, List and Labels). Unknown parameters are ignored. */
export function parseListQuery(search: URLSearchParams): Answer<JobListQuery> {
  const repeated = SINGLE.find((name) => search.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(repeated, 'repeated');
  const limit = search.get('limit') ?? String(PAGE_ENTRIES.default);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < PAGE_ENTRIES.minimum || Number(limit) > PAGE_ENTRIES.maximum) {
    return invalid('limit');
  }
  const statuses = search.get('status')?.split(',') ?? [];
  if (!statuses.every(isStatus)) return invalid('status');
  const idempotencyKey = search.get('idempotency_key');
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) return invalid('idempotency_key');
  const metadata = parseMetadata(search);
  if (!metadata.ok) return metadata;
  // A client may append the next cursor to its previous address: the last one counts.
  const cursor = search.getAll('cursor').at(-1) ?? null;
  return {
    ok: true,
    value: { statuses: [...new Set(statuses)], limit: Number(limit), cursor, idempotencyKey, metadata: metadata.value },
  };
}

function parseMetadata(search: URLSearchParams): Answer<Readonly<Record<string, string>>> {
  const filters = new Map<string, string>();
  for (const [name, value] of search) {
    if (name !== 'metadata' && !name.startsWith('metadata[')) continue;
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key === undefined || !isLabelKey(key) || filters.has(key)) {
      return badFilter({ case: 'form' });
    }
    if (labelValueProblem(value) !== null) {
      return badFilter({ case: 'value', limit: LABEL_LIMITS.maxValueLength });
    }
    filters.set(key, value);
  }
  if (filters.size > MAX_METADATA_FILTERS) return badFilter({ case: 'too_many', limit: MAX_METADATA_FILTERS });
  return { ok: true, value: Object.fromEntries(filters) };
}

function isStatus(text: string): text is JobStatus {
  return (JOB_STATUSES as readonly string[]).includes(text);
}

function badFilter(what: ErrorCase<'invalid_metadata_filter'>): Answer<never> {
  return rejected(refuse('invalid_metadata_filter', what));
}

function invalid(field: (typeof SINGLE)[number], problem: QueryProblem = field): Answer<never> {
  const details = { fields: { [field]: QUERY_PROBLEMS[problem] } };
  return rejected(refuse('invalid_request', { case: 'query', field, problem }, { details }));
}
