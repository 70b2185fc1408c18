import { REGISTRY_ERRORS } from '@heddle/contracts-registry';
import type { NodeVersionWire, RegistryErrorCode } from '@heddle/contracts-registry';
import { describeAnswer, expectStatus, jsonOf, OpenApiDocument, send, textOf } from '@heddle/testing-api';
import type { Answer, Asked } from '@heddle/testing-api';

/** The answer to a publish. */
export interface VersionAnswer {
  readonly node_version: NodeVersionWire;
  readonly signedUrl: string;
}

/** A registry as its clients meet it; every answer is checked against its OpenAPI document and the general rules. */
export class RegistryClient {
  private constructor(
    /** Without a last slash. */
    readonly url: string,
    readonly document: OpenApiDocument,
    private readonly bearer: string | null,
  ) {}

  static async connect(url: string, bearer: string | null = null): Promise<RegistryClient> {
    const { origin, pathname } = new URL(url);
    const target = `${pathname.replace(/\/$/, '')}/openapi.json`;
    const answer = expectStatus(await send(origin, { method: 'GET', target }), 200);
    return new RegistryClient(url.replace(/\/$/, ''), new OpenApiDocument(jsonOf(answer)), bearer);
  }

  /** The same registry with another credential, or none. */
  as(bearer: string | null): RegistryClient {
    return new RegistryClient(this.url, this.document, bearer);
  }

  /** `path`: below the registry's address. */
  async request(method: string, path: string, { headers, ...asked }: Asked = {}): Promise<Answer> {
    const { origin, pathname } = new URL(this.url);
    const target = (pathname === '/' ? '' : pathname) + path;
    const credential = this.bearer === null ? {} : { authorization: `Bearer ${this.bearer}` };
    const answer = await send(origin, { ...asked, method, target, headers: { ...credential, ...headers } });
    checkAnswer(answer, path);
    this.document.check({ ...answer, target: path });
    return answer;
  }

  get(path: string, headers: Asked['headers'] = {}): Promise<Answer> {
    return this.request('GET', path, { headers });
  }

  /** A JSON body, or bytes and text as they are. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    if (body === undefined) return await this.request(method, path);
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    return await this.request(method, path, { body: isRaw ? body : JSON.stringify(body) });
  }

  /** The body of an answer that must be a success. */
  async json<Body>(path: string): Promise<Body> {
    return jsonOf<Body>(expectStatus(await this.get(path), 200));
  }

  /** Follows a link of an answer, which must begin with the registry's address. */
  async follow(method: string, link: string, asked: Asked = {}): Promise<Answer> {
    if (!link.startsWith(`${this.url}/`)) throw new Error(`the link ${link} does not begin with ${this.url}`);
    return await this.request(method, link.slice(this.url.length), asked);
  }
}

/** `409 version_exists`, for comparisons; the status alone for a success. */
export function refusalOf(answer: Answer): string {
  if (answer.status < 400) return String(answer.status);
  return `${answer.status} ${jsonOf<{ error: string }>(answer).error}`;
}

/** A command to paste stands at the end, without a full stop. */
const SENTENCE = /[.?]$|: heddle registry [\w -]+$/;

/** Rules for every answer (registry decisions, Everywhere: Errors, Codes, Present). */
function checkAnswer(answer: Answer, path: string): void {
  const broken = (what: string): Error =>
    new Error(`${describeAnswer(answer)}: ${what}: ${textOf(answer).slice(0, 300)}`);
  if (!/^[\w.:+/=@-]{1,200}$/.test(String(answer.headers['x-request-id']))) throw broken('no usable X-Request-Id');
  if (answer.method === 'HEAD' || answer.bytes.length === 0) return;
  const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
  if (answer.status < 400) {
    // Schemas of the document may hold null.
    if (isJson && path !== '/openapi.json' && hasNull(jsonOf(answer))) throw broken('null in an answer');
    return;
  }
  if (!isJson) throw broken('a refusal that is not JSON');
  const { error, message, ...more } = jsonOf<Record<string, unknown>>(answer);
  const known = REGISTRY_ERRORS[error as RegistryErrorCode] as (typeof REGISTRY_ERRORS)[RegistryErrorCode] | undefined;
  if (known?.status !== answer.status) throw broken('the code does not go with the status');
  if (typeof message !== 'string' || !SENTENCE.test(message)) throw broken('the message is not a sentence');
  if (Object.keys(more).length > 0) throw broken('more than error and message');
  if (known.retryAfter && !/^[1-9]\d*$/.test(answer.headers['retry-after'] ?? '')) throw broken('no Retry-After');
}

function hasNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  return Object.values(value).some(hasNull);
}
