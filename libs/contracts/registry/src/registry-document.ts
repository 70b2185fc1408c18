import { closedEnum, object, ref } from '@heddle/contracts-api-v2';
import type { JsonSchema } from '@heddle/contracts-api-v2';
import { REGISTRY_ERRORS } from './registry-errors.js';
import type { RegistryErrorCode } from './registry-errors.js';
import { isCacheable, registryCodesOf } from './routes.js';
import type { RegistryRoute, RegistryRouteSuccess } from './registry-route.js';
import { PROXY_SCHEMAS } from './schemas/proxy-schemas.js';
import { NODE_SCHEMAS } from './schemas/node-schemas.js';
import { text, VERSION_SCHEMAS } from './schemas/version-schemas.js';

const KEY: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 };
const QUERY: Readonly<Record<string, JsonSchema>> = {
  page: { type: 'integer', minimum: 1, default: 1 },
  limit: { type: 'integer', minimum: 1, description: 'entries of a page' },
  pageSize: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
  after: { type: 'integer', minimum: 0, default: 0, description: '`next` of the page before' },
  statuses: { type: 'array', items: ref('NodeVersionStatus') },
  include_status_reason: { type: 'boolean', default: false },
  star: { type: 'integer', minimum: 1, maximum: 5 },
  sort: { ...text, description: 'id, name, downloads, created_at or rating; with `;desc` the largest first' },
  timestamp: { ...text, format: 'date-time', description: 'nodes that changed after it' },
};

/** Builds the OpenAPI 3.1 document of the registry from the routes that are served, the schemas and the errors. */
export function registryDocument(url: string, routes: readonly RegistryRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: { title: 'Heddle node registry', version: '1.0.0', description: 'Packages of node classes.' },
    servers: [{ url }],
    security: [{}, { bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: object({ error: closedEnum(Object.keys(REGISTRY_ERRORS)), message: { type: 'string', minLength: 1 } }),
        ...VERSION_SCHEMAS,
        ...NODE_SCHEMAS,
        ...PROXY_SCHEMAS,
      },
    },
  };
}

function operationOf(route: RegistryRoute): object {
  const { operation, summary, who, request, path, query = [] } = route;
  const needsBearer = who === 'account' || who === 'owner' || who === 'member';
  return {
    operationId: operation,
    summary,
    ...(needsBearer ? { security: [{ bearer: [] }] } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text })),
      ...query.map((name) => ({ name, in: 'query', required: false, schema: QUERY[name] ?? text })),
      ...(route.hasKey ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: KEY }] : []),
      ...(isCacheable(route) ? [{ name: 'If-None-Match', in: 'header', required: false, schema: text }] : []),
    ],
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: ref(request) } } } }),
    responses: { ...successesOf(route), ...errorsOf(route) },
  };
}

function successesOf({ successes }: RegistryRoute): Record<string, object> {
  return Object.fromEntries(successes.map((success) => [String(success.status), successOf(success)]));
}

function successOf({ schema, isList, mediaTypes, description }: RegistryRouteSuccess): object {
  if (schema !== undefined) {
    const one = ref(schema);
    return { description, content: { 'application/json': { schema: isList ? { type: 'array', items: one } : one } } };
  }
  const content = mediaTypes?.map((type) => [type, { schema: { type: type.endsWith('/json') ? 'object' : 'string' } }]);
  return { description, ...(content === undefined ? {} : { content: Object.fromEntries(content) }) };
}

function errorsOf(route: RegistryRoute): Record<string, object> {
  const byStatus = new Map<number, RegistryErrorCode[]>();
  for (const code of registryCodesOf(route)) {
    const { status } = REGISTRY_ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${REGISTRY_ERRORS[code].when}`).join('; ');
      const schema = route.hasDetails
        ? ref('DetailedError')
        : { allOf: [ref('Error'), { properties: { error: { enum: codes } } }] };
      return [String(status), { description, content: { 'application/json': { schema } } }];
    }),
  );
}
