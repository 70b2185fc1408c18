import { ERROR_CODES } from './error-codes.js';
import type { ApiErrorCode } from './error-codes.js';
import { IDEMPOTENCY_KEY_SCHEMA, MAX_METADATA_FILTERS, PAGE_ENTRIES } from './request-limits.js';
import { errorCodesOf, ROUTES } from './routes.js';
import type { Route } from './routes.js';
import { assetSchemas } from './schemas/asset.js';
import { ERROR_SCHEMAS } from './schemas/error.js';
import { FRAME_PAYLOADS, FRAME_SCHEMAS } from './schemas/frame.js';
import { closedEnum, ref } from './schemas/json-schema.js';
import { JOB_SCHEMAS, JOB_STATUSES } from './schemas/job.js';
import { LOG_SCHEMAS } from './schemas/log.js';

const QUERY: Readonly<Record<string, { schema: object; description: string; style?: string; explode?: boolean }>> = {
  status: {
    schema: { type: 'array', items: closedEnum(JOB_STATUSES) },
    style: 'form',
    explode: false,
    description: 'statuses, separated by commas',
  },
  limit: { schema: { type: 'integer', ...PAGE_ENTRIES }, description: 'entries of a page' },
  cursor: { schema: { type: 'string' }, description: 'next_cursor of the page before' },
  idempotency_key: { schema: IDEMPOTENCY_KEY_SCHEMA, description: 'the job of this key' },
  metadata: {
    schema: { type: 'object', maxProperties: MAX_METADATA_FILTERS, additionalProperties: { type: 'string' } },
    style: 'deepObject',
    explode: true,
    description: 'labels that must all match, metadata[key]=value',
  },
};

/** Limits of the service that the document names. */
interface DocumentedLimits {
  readonly uploadBytes: number;
}

/** Builds the OpenAPI 3.1 document of v2 from the routes of a process, the schemas and the error catalogue. */
export function openApiDocument(limits: DocumentedLimits, routes: readonly Route[] = ROUTES): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heddle workflow execution API',
      version: '2.0.0',
      description: 'Assets in, a workflow as a durable job, live events, outputs back. Poll-first, resumable.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...ERROR_SCHEMAS,
        ...assetSchemas(limits.uploadBytes),
        ...JOB_SCHEMAS,
        ...LOG_SCHEMAS,
        ...FRAME_SCHEMAS,
      },
    },
  };
}

function operationOf(route: Route): object {
  const { operation, summary, requestSchema, requestMediaType = 'application/json' } = route;
  return {
    operationId: operation,
    summary,
    parameters: parametersOf(route),
    ...(route.signed === true ? { security: [{}] } : {}),
    ...(route.events
      ? {
          'x-sse-events': Object.fromEntries(
            Object.entries(FRAME_PAYLOADS).map(([name, schema]) => [name, ref(schema)]),
          ),
        }
      : {}),
    ...(requestSchema === undefined
      ? {}
      : { requestBody: { required: true, content: { [requestMediaType]: { schema: ref(requestSchema) } } } }),
    responses: { ...successesOf(route), ...errorsOf(route) },
  };
}

function parametersOf(route: Route): object[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = (route.query ?? []).map((name) => ({ name, in: 'query', required: false, ...QUERY[name] }));
  const header = (name: string, schema: object, description: string): object => ({
    name,
    in: 'header',
    required: false,
    schema,
    description,
  });
  return [
    ...inPath,
    ...inQuery,
    ...(route.idempotencyKey
      ? [header('Idempotency-Key', IDEMPOTENCY_KEY_SCHEMA, 'single use, kept for 24 hours')]
      : []),
    ...(route.range ? [header('Range', { type: 'string' }, 'one range, e.g. bytes=0-99')] : []),
  ];
}

const REQUEST_ID = { 'X-Request-Id': { schema: { type: 'string' }, description: 'names this request in the logs' } };
const RETRY_AFTER = { 'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'seconds' } };

function successesOf({ successes }: Route): Record<string, object> {
  return Object.fromEntries(
    successes.map(({ status, schema, mediaType, description }) => {
      const content = schema
        ? { 'application/json': { schema: ref(schema) } }
        : mediaType
          ? { [mediaType]: { schema: mediaType === 'application/json' ? { type: 'object' } : { type: 'string' } } }
          : undefined;
      return [String(status), { description, headers: REQUEST_ID, ...(content === undefined ? {} : { content }) }];
    }),
  );
}

function errorsOf(route: Route): Record<string, object> {
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].when}`).join('; ');
      const headers = codes.some((code) => ERROR_CODES[code].retryAfter)
        ? { ...REQUEST_ID, ...RETRY_AFTER }
        : REQUEST_ID;
      const body = {
        allOf: [ref('ErrorEnvelope'), { properties: { error: { properties: { code: { enum: codes } } } } }],
      };
      const content = route.method === 'HEAD' ? {} : { content: { 'application/json': { schema: body } } };
      return [String(status), { description, headers, ...content }];
    }),
  );
}
