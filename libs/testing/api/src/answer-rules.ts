import { ERROR_CODES } from '@heddle/contracts-api-v2';
import type { ApiErrorCode } from '@heddle/contracts-api-v2';
import type { Answer } from './answer.js';
import { describe, jsonOf, textOf } from './answer.js';

const INSTANT = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** Text that would reveal something about our machine: stack frames, folders, drivers, the database. */
const LEAKS =
  /\n\s+at |node_modules|\/(work|root|home|tmp|var|usr)\/|\.(ts|js):\d+|ECONNREFUSED|SELECT |INSERT |postgres/i;

export interface AnswerExpectations {
  /** Where every link of a body must point: scheme, host and port of the request. */
  readonly linkOrigin: string;
  /** Managed and dedicated surfaces: `url` of an asset may be a signed one of another origin. */
  readonly signedUrls: boolean;
}

/**
 * Rules for every answer of v2 (api-v2, ErrorEnvelope; decisions, Everywhere): only the envelope on refusals,
 * X-Request-Id, Retry-After as in the catalogue, one time format, absolute links with the request's origin, nothing
 * about the machine.
 */
export function checkAnswer(answer: Answer, expected: AnswerExpectations): void {
  const broken = (what: string): Error => new Error(`${describe(answer)}: ${what}`);
  const requestId = answer.headers['x-request-id'];
  if (typeof requestId !== 'string' || !/^[\w.:+/=@-]{1,200}$/.test(requestId)) throw broken('no usable X-Request-Id');
  if (answer.headers['x-powered-by'] !== undefined) throw broken('X-Powered-By is sent');
  if (answer.method === 'HEAD' && answer.bytes.length > 0) throw broken('HEAD with a body');
  if (answer.status >= 400 && answer.method !== 'HEAD') checkRefusal(answer, broken);
  if (
    answer.status < 400 &&
    answer.headers['content-type']?.startsWith('application/json') &&
    answer.bytes.length > 0
  ) {
    checkValues(jsonOf<unknown>(answer), expected, broken);
  }
}

function checkRefusal(answer: Answer, broken: (what: string) => Error): void {
  if (!answer.headers['content-type']?.startsWith('application/json')) {
    throw broken(`a refusal of type ${answer.headers['content-type']}: ${textOf(answer).slice(0, 200)}`);
  }
  const body = jsonOf<Record<string, unknown>>(answer);
  if (Object.keys(body).join() !== 'error') throw broken(`not the error envelope: ${textOf(answer).slice(0, 200)}`);
  const { code, message, details, ...more } = body['error'] as Record<string, unknown>;
  if (Object.keys(more).length > 0) throw broken(`fields beside code, message, details: ${Object.keys(more).join()}`);
  if (typeof code !== 'string' || !/^[a-z_]+$/.test(code)) throw broken(`a code of another form: ${String(code)}`);
  const entry = ERROR_CODES[code as ApiErrorCode] as (typeof ERROR_CODES)[ApiErrorCode] | undefined;
  if (entry === undefined) throw broken(`the code ${code} is not in the catalogue`);
  if (entry.status !== answer.status) throw broken(`${code} goes with ${entry.status}`);
  if (typeof message !== 'string' || message.trim() === '') throw broken('an empty message');
  if (!/[.?]$/.test(message)) throw broken('a message that is not a sentence');
  if (details !== undefined && (typeof details !== 'object' || details === null || Array.isArray(details))) {
    throw broken('details is no object');
  }
  const leak = LEAKS.exec(message) ?? LEAKS.exec(JSON.stringify(details ?? {}));
  if (leak !== null) throw broken(`the answer tells about the machine: ${textOf(answer).slice(0, 300)}`);
  const retryAfter = answer.headers['retry-after'];
  if (entry.retryAfter && !/^[1-9]\d*$/.test(retryAfter ?? '')) throw broken(`${code} with Retry-After ${retryAfter}`);
}

function checkValues(value: unknown, expected: AnswerExpectations, broken: (what: string) => Error, key = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) checkValues(item, expected, broken, key);
    return;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (name === 'workflow' && typeof item === 'object') continue;
      if (name === 'extra_data') throw broken('extra_data is given back');
      if (name === 'urls') checkLinks(item as Record<string, unknown>, expected.linkOrigin, broken);
      else checkValues(item, expected, broken, name);
    }
    return;
  }
  if ((/_at$/.test(key) || /^(create|update)_time$/.test(key)) && value !== null) {
    if (typeof value !== 'string' || !INSTANT.test(value)) throw broken(`${key} is no instant: ${String(value)}`);
  }
  if (key === 'url' && !expected.signedUrls) checkLinks({ url: value }, expected.linkOrigin, broken);
}

function checkLinks(links: Record<string, unknown>, origin: string, broken: (what: string) => Error): void {
  for (const [name, link] of Object.entries(links)) {
    if (typeof link !== 'string' || !link.startsWith(`${origin}/api/v2/`)) {
      throw broken(`${name} is ${String(link)}, not an absolute link of ${origin}`);
    }
  }
}
