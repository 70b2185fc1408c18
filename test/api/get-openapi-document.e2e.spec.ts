import { ERROR_CODES } from '@heddle/contracts-api-v2';
import type { ApiErrorCode } from '@heddle/contracts-api-v2';
import { describe, expect, it } from 'vitest';
import { useServer } from './server.js';
import { surface } from './surface.js';

const ROUTES = [
  'POST /api/v2/assets',
  'POST /api/v2/assets/from-hash',
  'HEAD /api/v2/assets/by-hash/{hash}',
  'GET /api/v2/assets/{id}',
  'DELETE /api/v2/assets/{id}',
  'GET /api/v2/assets/{id}/content',
  'POST /api/v2/jobs',
  'GET /api/v2/jobs',
  'GET /api/v2/jobs/{id}',
  'POST /api/v2/jobs/{id}/cancel',
  'GET /api/v2/jobs/{id}/workflow',
  'GET /api/v2/jobs/{id}/events',
  'GET /api/v2/openapi.json',
];

/** Statuses of each route in the API document */
const PROMISED: Record<string, number[]> = {
  'POST /api/v2/assets': [200, 201, 401, 403, 409, 413, 422, 500],
  'POST /api/v2/assets/from-hash': [200, 201, 401, 403, 404, 422, 500],
  'HEAD /api/v2/assets/by-hash/{hash}': [200, 401, 404, 500],
  'GET /api/v2/assets/{id}': [200, 401, 403, 404, 500],
  'DELETE /api/v2/assets/{id}': [204, 401, 403, 404, 409, 500],
  'GET /api/v2/assets/{id}/content': [200, 206, 302, 401, 403, 404, 416, 500],
  'POST /api/v2/jobs': [201, 401, 402, 403, 413, 422, 429, 500],
  'GET /api/v2/jobs': [200, 400, 401, 403, 422, 429, 500],
  'GET /api/v2/jobs/{id}': [200, 401, 403, 404, 429, 500],
  'POST /api/v2/jobs/{id}/cancel': [200, 401, 403, 404, 500],
  'GET /api/v2/jobs/{id}/workflow': [200, 401, 403, 404, 429, 500],
  'GET /api/v2/jobs/{id}/logs': [200, 204, 401, 403, 404, 429, 500],
  'GET /api/v2/signed/{key}': [200, 206, 403, 416, 500],
  'GET /api/v2/jobs/{id}/events': [200, 401, 403, 404, 429, 500],
};

describe('GET /api/v2/openapi.json', () => {
  const server = useServer();
  const operations = () => server.client.document.operations();
  const template = (path: string): string =>
    path.replace(/\/assets\/\{(?!hash)[^}]+\}/, '/assets/{id}').replace(/\/jobs\/\{[^}]+\}/, '/jobs/{id}');

  it('is an OpenAPI 3.0 or 3.1 document with the version of the contract (decisions, Commands and settings; Versioning 1)', () => {
    const { openapi, info } = server.client.document.document as { openapi: string; info: { version: string } };
    expect(openapi).toMatch(/^3\.[01]\.\d+$/);
    expect(info.version).toBe('2.0.0');
  });

  it('names every route of v2, and only those', () => {
    const named = operations().map(({ method, path }) => `${method} ${template(path)}`);
    const logs = surface.logs === 'no-route' ? [] : ['GET /api/v2/jobs/{id}/logs'];
    const signed = surface.content === 'redirect' ? ['GET /api/v2/signed/{key}'] : [];
    const optional = new Set(['GET /api/v2/jobs/{id}/logs', 'GET /api/v2/signed/{key}', 'GET /api/v2/openapi.json']);
    expect(named.filter((route) => !optional.has(route)).sort()).toEqual(
      ROUTES.filter((route) => !optional.has(route)).sort(),
    );
    expect(named.filter((route) => /logs|signed/.test(route)).sort()).toEqual([...logs, ...signed]);
  });

  it('names every status of every route (Endpoints, Responses)', () => {
    for (const { method, path, operation } of operations()) {
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses, `${method} ${path}`).toEqual(
        expect.arrayContaining(PROMISED[`${method} ${template(path)}`] ?? []),
      );
    }
  });

  it('names every error code (decisions, Error codes)', () => {
    const text = JSON.stringify(server.client.document.document);
    for (const code of Object.keys(ERROR_CODES) as ApiErrorCode[]) expect(text, code).toContain(`"${code}"`);
  });

  it('has a schema for every body that has a media type', () => {
    for (const { method, path, operation } of operations()) {
      for (const [status, reference] of Object.entries(operation.responses)) {
        const response = server.client.document.resolve(reference) as { content?: Record<string, { schema?: object }> };
        for (const [type, content] of Object.entries(response.content ?? {})) {
          expect(content.schema, `${method} ${path} ${status} ${type}`).toBeTypeOf('object');
        }
        const bodiless = method === 'HEAD' || ['204', '302'].includes(status);
        if (!bodiless)
          expect(Object.keys(response.content ?? {}).length, `${method} ${path} ${status}`).toBeGreaterThan(0);
      }
    }
  });

  it('has no reference that leads nowhere', () => {
    const references = JSON.stringify(server.client.document.document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      const target = (JSON.parse(`{${reference}}`) as { $ref: string }).$ref;
      expect(server.client.document.resolve({ $ref: target }), target).toBeTypeOf('object');
    }
  });

  it('describes the bearer credential, which a surface may leave out (Authentication 3)', () => {
    const { components } = server.client.document.document as {
      components: { securitySchemes: Record<string, object> };
    };
    expect(Object.values(components.securitySchemes)).toContainEqual(
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    );
  });
});
