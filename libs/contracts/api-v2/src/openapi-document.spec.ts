import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from './error-codes.js';
import { openApiDocument } from './openapi-document.js';
import { errorCodesOf, ROUTES } from './routes.js';

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = openApiDocument({ uploadBytes: 1_048_576 }) as Document;
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 and plain JSON', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.parse(text)).toEqual(document);
  });

  it('holds every route of the table, with an answer for each of its error codes', () => {
    for (const route of ROUTES) {
      const responses = document.paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {};
      for (const { status } of route.successes) expect(responses[status]?.description).toBeTruthy();
      for (const code of errorCodesOf(route)) expect(responses[ERROR_CODES[code].status]?.description).toContain(code);
      expect(errorCodesOf(route)).toContain('upstream_error');
    }
  });

  it('says how large a file may be here', () => {
    expect(text).toContain('at most 1,048,576 bytes');
  });

  it('names every code of the catalogue', () => {
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`"${code}"`);
  });

  it('has a schema for every body but those that have none', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const [status, { content }] of Object.entries(responses)) {
          if (method === 'head' || status === '204' || status === '302') continue;
          const schemas = Object.values(content ?? {}).map(({ schema }) => schema);
          expect(schemas.length, `${method} ${path} ${status}`).toBeGreaterThan(0);
        }
      }
    }
  });

  it('leads every reference to a schema that compiles', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'https://heddle.test/openapi.json' });
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`https://heddle.test/openapi.json#/components/schemas/${name}`)).toBeTypeOf('function');
    }
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
  });

  it('gives every operation its own name', () => {
    expect(new Set(ROUTES.map(({ operation }) => operation)).size).toBe(ROUTES.length);
  });
});
