import { describe, expect, it } from 'vitest';
import { registryDocument } from './registry-document.js';
import { REGISTRY_ERRORS } from './registry-errors.js';
import { registryCodesOf, REGISTRY_ROUTES } from './routes.js';

interface Response {
  readonly description: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = registryDocument('http://registry.test', REGISTRY_ROUTES) as Document;
const text = JSON.stringify(document);

describe('the OpenAPI document of the registry', () => {
  it('holds every route of the table, with an answer for each of its statuses and codes', () => {
    for (const route of REGISTRY_ROUTES) {
      const responses = document.paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {};
      for (const { status } of route.successes) expect(responses[status]?.description, route.operation).toBeTruthy();
      for (const code of registryCodesOf(route)) {
        expect(responses[REGISTRY_ERRORS[code].status]?.description).toContain(`\`${code}\``);
      }
    }
  });

  it('leads every reference to a schema, and uses every schema', () => {
    const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!));
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('gives every operation a name, and every path with its method one entry', () => {
    const names = new Set(REGISTRY_ROUTES.map(({ operation }) => operation));
    const places = new Set(REGISTRY_ROUTES.map(({ method, path }) => `${method} ${path}`));
    expect([names.size, places.size]).toEqual([REGISTRY_ROUTES.length, REGISTRY_ROUTES.length]);
  });
});
