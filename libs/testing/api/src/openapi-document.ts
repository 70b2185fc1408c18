import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './answer.js';
import { describe, jsonOf, textOf } from './answer.js';

type Node = Record<string, unknown>;

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: Node }>>;
}

interface DocumentedOperation {
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
/** Refusals of the HTTP layer: they may be under `default` instead of on each route. */
const HTTP_LAYER = new Set([400, 403, 408, 413, 414, 431, 500]);

/** The document of GET /api/v2/openapi.json; checks whether it allows an answer. */
export class OpenApiDocument {
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #routes: { readonly pattern: RegExp; readonly path: string; readonly item: Node }[];

  constructor(readonly document: Node) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, formats: FORMATS });
    this.#ajv.addSchema(closed(document) as Node, DOCUMENT, undefined, false);
    this.#routes = Object.entries(document['paths'] as Record<string, Node>).map(([path, item]) => ({
      pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      path,
      item,
    }));
  }

  /** Every documented operation as `GET /api/v2/jobs/{id}`. */
  operations(): { readonly method: string; readonly path: string; readonly operation: DocumentedOperation }[] {
    return this.#routes.flatMap(({ path, item }) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) => ({
        method: method.toUpperCase(),
        path,
        operation: this.resolve(item[method]) as unknown as DocumentedOperation,
      })),
    );
  }

  /** Throws if status, media type or body of the answer does not match the document. */
  check(answer: Answer): void {
    const found = this.#find(answer);
    if (found === null) return checkUndocumentedRoute(answer);
    if (found.operation === null) return checkUndocumentedMethod(answer);
    const { path, method, operation } = found;
    const key = operation.responses[String(answer.status)] === undefined ? 'default' : String(answer.status);
    if (operation.responses[key] === undefined || (key === 'default' && !HTTP_LAYER.has(answer.status))) {
      throw new Error(
        `${describe(answer)}: this status is not documented for ${path}: ${textOf(answer).slice(0, 200)}`,
      );
    }
    if (answer.method === 'HEAD') return;
    const response = this.resolve(operation.responses[key]) as DocumentedResponse;
    const mediaType = answer.headers['content-type']?.split(';')[0] ?? '';
    if (response.content === undefined) {
      if (answer.bytes.length > 0) throw new Error(`${describe(answer)}: a body where none is documented`);
      return;
    }
    const content = response.content[mediaType];
    if (content === undefined) throw new Error(`${describe(answer)}: ${mediaType} is not documented`);
    if (mediaType !== 'application/json') return;
    const at = ['paths', path, method, 'responses', key];
    const unresolved = operation.responses[key] as Node;
    const pointer =
      typeof unresolved['$ref'] === 'string'
        ? `${DOCUMENT}${unresolved['$ref']}`
        : `${DOCUMENT}#/${at.map(escape).join('/')}`;
    this.#validate(`${pointer}/content/application~1json/schema`, answer);
  }

  /** Throws if the value does not match `#/components/schemas/<name>`. */
  checkSchema(name: string, value: unknown): void {
    const validate = this.#compile(`${DOCUMENT}#/components/schemas/${name}`);
    if (!validate(value)) throw new Error(`not a ${name}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  resolve(node: unknown): Node {
    const reference = (node as Node)['$ref'];
    if (typeof reference !== 'string') return node as Node;
    const parts = reference.slice(2).split('/').map(unescape);
    return this.resolve(parts.reduce<unknown>((at, part) => (at as Node)[part], this.document));
  }

  #find(answer: Answer): { path: string; method: string; operation: DocumentedOperation | null } | null {
    const pathname = answer.target.split('?')[0] ?? '';
    const matching = this.#routes.filter((candidate) => candidate.pattern.test(pathname));
    const route = matching.sort((a, b) => b.path.split('{')[0]!.length - a.path.split('{')[0]!.length)[0];
    if (route === undefined) return null;
    const own = answer.method.toLowerCase();
    const method = route.item[own] === undefined && own === 'head' ? 'get' : own;
    const operation = (route.item[method] ?? null) as DocumentedOperation | null;
    return { path: route.path, method, operation };
  }

  #validate(pointer: string, answer: Answer): void {
    const validate = this.#compile(pointer);
    if (validate(jsonOf(answer))) return;
    throw new Error(
      `${describe(answer)}: the body is not what the document says: ${this.#ajv.errorsText(validate.errors)}\n` +
        textOf(answer).slice(0, 500),
    );
  }

  #compile(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    const validate = this.#ajv.compile({ $ref: pointer });
    this.#validators.set(pointer, validate);
    return validate;
  }
}

const DOCUMENT = 'openapi';
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/[^\s]+$/,
  binary: true as const,
  byte: true as const,
  int32: true as const,
  int64: true as const,
  double: true as const,
  float: true as const,
};

/** Clients tolerate new fields; this suite refuses fields that the document does not name. */
function closed(node: unknown, insideAllOf = false): unknown {
  if (Array.isArray(node)) return node.map((item) => closed(item, insideAllOf));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = {};
  for (const [key, value] of Object.entries(node)) copy[key] = closed(value, key === 'allOf');
  const closable = typeof copy['properties'] === 'object' && copy['allOf'] === undefined && !insideAllOf;
  if (closable && copy['type'] === 'object' && copy['additionalProperties'] === undefined) {
    copy['additionalProperties'] = false;
  }
  return copy;
}

function checkUndocumentedRoute(answer: Answer): void {
  if ([400, 403, 404, 414, 431].includes(answer.status)) return;
  throw new Error(`${describe(answer)}: a route that the document does not name`);
}

function checkUndocumentedMethod(answer: Answer): void {
  if ([400, 403, 414, 431].includes(answer.status)) return;
  if (answer.status !== 405) throw new Error(`${describe(answer)}: a method that the document does not name`);
  if (!answer.headers['allow']) throw new Error(`${describe(answer)}: 405 without Allow`);
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unescape(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}
