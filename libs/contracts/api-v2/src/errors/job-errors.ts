import { IDEMPOTENCY_KEY_RULE, LABEL_KEY_RULE, PAGE_ENTRIES } from '../request-limits.js';
import { JOB_STATUSES } from '../schemas/job.js';
import { DEPLOYMENT_VALUES } from './deployment-errors.js';
import { busy, code, type Limit } from './error-entry.js';

/** One header rule; uploads and submissions refuse it with different codes. */
export const KEY_HEADER = `Idempotency-Key must be one header of ${IDEMPOTENCY_KEY_RULE}, for example a UUID.`;

/** Problems of one query parameter of the list; `details.fields` holds the same words. */
export const QUERY_PROBLEMS = {
  repeated: 'must be given once',
  limit: `must be a whole number from ${PAGE_ENTRIES.minimum} to ${PAGE_ENTRIES.maximum}`,
  status: `must be statuses of ${JOB_STATUSES.join(', ')}, separated by commas`,
  idempotency_key: `must be ${IDEMPOTENCY_KEY_RULE}`,
} as const;
export type QueryProblem = keyof typeof QUERY_PROBLEMS;

/** Reading and listing jobs, the queue, and fields shared by requests of every context. */
export const JOB_ERRORS = {
  invalid_cursor: code(400, 'a list cursor that was not issued here', {
    cursor: 'The cursor was not issued by this list. Start again without a cursor.',
  }),
  invalid_metadata_filter: code(400, 'a metadata filter of the list that is malformed', {
    form: `A metadata filter is metadata[key]=value, each key once, a key of ${LABEL_KEY_RULE}.`,
    value: ({ limit }: Limit) =>
      `A metadata filter has a value of at most ${limit} characters, none of them a control character.`,
    too_many: ({ limit }: Limit) => `A metadata filter may be given at most ${limit} times.`,
  }),
  invalid_request: code(422, 'a field of the request is missing or malformed; details.fields names it', {
    fields: ({ fields, unknown }: { readonly fields: FieldProblems; readonly unknown: readonly string[] }) =>
      [...fieldTexts(without(fields, unknown)), unknownText(unknown)].filter((text) => text !== '').join(' '),
    ...DEPLOYMENT_VALUES,
    query: ({ field, problem }: { readonly field: string; readonly problem: QueryProblem }) =>
      `The query parameter ${field} ${QUERY_PROBLEMS[problem]}.`,
    multipart: ({ problem }: { readonly problem: string }) => `The upload cannot be read: ${problem}.`,
    key_header: KEY_HEADER,
    encoding: 'An upload must be sent without a Content-Encoding.',
  }),
  idempotency_key_reuse: code(422, 'the key was claimed before', {
    submission:
      'This Idempotency-Key was used before. List jobs with ?idempotency_key= at the host that it ' +
      'was sent to, to find its job, or send a new key.',
    upload: 'This Idempotency-Key was used by an earlier upload. Send a new key.',
  }),
  queue_full: busy('the bounded queue is full', {
    depth:
      'The queue is full: too many jobs wait. Send the request again later. The limits of the account and the deployment, or else ' +
      'the settings HEDDLE_QUEUE_DEPTH_ACCOUNT and HEDDLE_QUEUE_DEPTH, say how many may wait.',
  }),
  deployment_not_ready: busy('the deployment is provisioning or starting', {
    starting: ({ label }: { readonly label: string }) =>
      `The deployment ${label} is starting. Send the request again after the time of the Retry-After header.`,
  }),
  deployment_unavailable: busy(
    'the deployment is unavailable, draining or stopped, or its environment has just changed',
    {
      status: ({
        label,
        status,
        reason,
      }: {
        readonly label: string;
        readonly status: string;
        readonly reason: string;
      }) => `The deployment ${label} is ${status} (${reason}). Send the request again later.`,
      environment_changed: () =>
        'The deployment changed its environment while the workflow was checked. Send the request again.',
    },
  ),
  too_many_streams: busy('too many open event streams', {
    account: ({ limit }: { readonly limit: number }) =>
      `The account has ${limit} event streams open, which is its limit. Close one, or poll the job instead. ` +
      'The limits of the account, or else the setting HEDDLE_STREAMS_ACCOUNT, raise this number.',
    process: ({ limit }: { readonly limit: number }) =>
      `The service has ${limit} event streams open, which is the limit. Try again later, or poll the job instead. ` +
      'The setting HEDDLE_STREAMS raises this limit.',
  }),
} as const;

/** The problem of each field by its name: `must be …`, `is required`. */
type FieldProblems = Readonly<Record<string, string>>;

const MAX_SHOWN_NAMES = 3;
const MAX_SHOWN_LENGTH = 60;
const UPLOAD_FIELDS = 'file, content_type, file_path, expected_hash, tags and expires_in';

/** What is wrong with the value of an unknown field matters to nobody. */
function without(fields: FieldProblems, unknown: readonly string[]): FieldProblems {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !unknown.includes(name)));
}

/** Fields with the same problem share a sentence. */
function fieldTexts(fields: FieldProblems): readonly string[] {
  const byProblem = Map.groupBy(Object.keys(fields), (name) => fields[name]!);
  return [...byProblem].map(([problem, names]) => sentenceOf(names.map(shownName), problem));
}

function sentenceOf(names: readonly string[], problem: string): string {
  const [name, ...more] = names;
  // A question ends with its own mark.
  const end = problem.endsWith('?') ? '' : '.';
  if (more.length === 0) return name === 'body' ? `The body ${problem}${end}` : `The field ${name} ${problem}${end}`;
  const fields = `fields ${names.slice(0, -1).join(', ')} and ${more.at(-1)}`;
  const plural = problem.replace(/^is /, 'are ').replace(/^does /, 'do ');
  // "must be an object" is said of each: it may hold nouns in the singular anywhere.
  return plural === problem ? `Each of the ${fields} ${problem}${end}` : `The ${fields} ${plural}${end}`;
}

function shownName(name: string): string {
  return name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name;
}

/** Shows a client that misspelled a field of an upload which fields exist. */
function unknownText(names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH)));
  const what = names.length === 1 ? `${shown[0]} is not a field` : `${shown.join(', ')} are not fields`;
  return `${what} of an upload: the fields are ${UPLOAD_FIELDS}.`;
}
