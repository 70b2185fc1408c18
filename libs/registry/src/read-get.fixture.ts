import type { TestRegistry } from './registry.fixture.js';

export interface Got {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** GET of a path of the registry; its JSON, or its text. */
export async function get(registry: TestRegistry, path: string, init: RequestInit = {}): Promise<Got> {
  const response = await fetch(registry.url + path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
    headers: response.headers,
  };
}
