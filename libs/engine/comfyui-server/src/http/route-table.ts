import type { HttpAnswer } from './answer.js';
import { empty, methodNotAllowed, notFound } from './answer.js';
import type { Call } from './call.js';

/** `sent`: the handler wrote the response itself. */
type Handler = (call: Call, parameters: readonly string[]) => Promise<HttpAnswer | 'sent'> | HttpAnswer | 'sent';

export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `*` matches one segment, which becomes a parameter. */
  readonly path: string;
  /** True if the path also exists below `/api`; the engine's internal routes do not. */
  readonly twin?: boolean;
  readonly handle: Handler;
}

/** The engine's routes: each exists with and without `/api` (engine.md 1). */
export class RouteTable {
  private readonly exact = new Map<string, Handler>();
  private readonly patterns: { method: string; segments: readonly string[]; handle: Handler }[] = [];

  constructor(routes: readonly HttpRoute[]) {
    for (const { method, path, twin = true, handle } of routes) {
      for (const full of twin ? [path, `/api${path}`] : [path]) {
        if (full.includes('*')) this.patterns.push({ method, segments: full.split('/'), handle });
        else this.exact.set(`${method} ${full}`, handle);
      }
    }
  }

  /** The handler with its parameters, or the answer if there is none. */
  find(method: string, path: string): { handle: Handler; parameters: readonly string[] } | HttpAnswer {
    // Answered for every path: a browser asks before it sends, and no other origin is allowed.
    if (method === 'OPTIONS') return empty(200);
    const asked = method === 'HEAD' ? 'GET' : method;
    const handle = this.exact.get(`${asked} ${path}`);
    if (handle !== undefined) return { handle, parameters: [] };
    const segments = path.split('/');
    const allowed = new Set(['GET', 'HEAD']);
    for (const other of ['POST', 'PATCH']) if (this.exact.has(`${other} ${path}`)) allowed.add(other);
    for (const pattern of this.patterns) {
      const parameters = matchSegments(pattern.segments, segments);
      if (parameters === null) continue;
      if (pattern.method === asked) return { handle: pattern.handle, parameters };
      allowed.add(pattern.method);
    }
    // Unknown GET paths are looked up among the web pages.
    return asked === 'GET' ? notFound() : methodNotAllowed([...allowed].join(','));
  }
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): string[] | null {
  if (pattern.length !== segments.length) return null;
  const parameters: string[] = [];
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at]!;
    if (expected !== '*') {
      if (expected !== segment) return null;
    } else if (segment === '') {
      return null;
    } else {
      parameters.push(decoded(segment));
    }
  }
  return parameters;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
