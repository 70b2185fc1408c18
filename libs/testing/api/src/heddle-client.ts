import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Answer } from './answer.js';
import { describe, jsonOf, textOf } from './answer.js';
import { checkAnswer } from './answer-rules.js';
import { openEventStream } from './event-stream.js';
import type { EventStream } from './event-stream.js';
import { eventually } from './eventually.js';
import { multipart, uploadParts } from './multipart.js';
import type { UploadForm } from './multipart.js';
import { OpenApiDocument } from './openapi-document.js';
import { freshBytes } from './pictures.js';
import { send } from './send.js';
import type { Sent } from './send.js';
import { isTerminal } from './wire.js';
import type { Asset, Job, JobPage, JobStatus } from './wire.js';

export interface ClientOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Managed and dedicated surfaces: asset URLs are signed. */
  readonly signedUrls?: boolean;
  /** Expected origin of links, if it is not the called origin. */
  readonly linkOrigin?: string;
}

export interface SubmitOptions {
  readonly key?: string;
  readonly extraData?: unknown;
  readonly metadata?: unknown;
  /** Additional top-level fields of the body. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: OutgoingHttpHeaders;
}

export type Asked = Omit<Sent, 'method' | 'target'>;

/** The v2 API of one server; every answer is checked against its OpenAPI document and the general rules. */
export class HeddleClient {
  private constructor(
    readonly origin: string,
    readonly document: OpenApiDocument,
    private readonly options: ClientOptions,
  ) {}

  static async connect(origin: string, options: ClientOptions = {}): Promise<HeddleClient> {
    const headers = authorization(options);
    const answer = await send(origin, { method: 'GET', target: '/api/v2/openapi.json', headers });
    if (answer.status !== 200) throw new Error(`${describe(answer)}: ${textOf(answer).slice(0, 300)}`);
    return new HeddleClient(origin, new OpenApiDocument(jsonOf(answer)), options);
  }

  /** The same server with other credentials (or none). */
  as(options: ClientOptions): HeddleClient {
    return new HeddleClient(this.origin, this.document, options);
  }

  async request(method: string, target: string, asked: Asked = {}): Promise<Answer> {
    const headers = { ...authorization(this.options), ...asked.headers };
    const answer = await send(this.origin, { ...asked, method, target, headers });
    checkAnswer(answer, {
      linkOrigin: this.options.linkOrigin ?? this.origin,
      signedUrls: this.options.signedUrls ?? false,
    });
    this.document.check(answer);
    return answer;
  }

  get(target: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.request('GET', target, { headers });
  }

  /** Follows a link of a body, and from content on to its bytes. */
  async follow(link: string, method = 'GET', asked: Asked = {}): Promise<Answer> {
    const url = new URL(link, this.origin);
    // A signed URL of the object store takes no credential.
    if (!url.pathname.startsWith('/api/')) return await send(url.origin, { method, target: url.pathname + url.search });
    return await this.#delivered(await this.request(method, url.pathname + url.search, asked), asked);
  }

  /** Behind a redirect to signed content: what is there, without a credential. */
  async #delivered(answer: Answer, { headers }: Asked): Promise<Answer> {
    const { location } = answer.headers;
    if (answer.status !== 302 || location === undefined) return answer;
    const { origin, pathname, search } = new URL(location);
    const target = pathname + search;
    return await send(origin, { method: answer.method, target, ...(headers === undefined ? {} : { headers }) });
  }

  postJson(target: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.request('POST', target, { headers: { 'content-type': 'application/json', ...headers }, body: text });
  }

  /** POST /api/v2/assets with the parts in the order of the official clients; absent fields are not sent. */
  upload(form: UploadForm, options: { key?: string; headers?: OutgoingHttpHeaders } = {}): Promise<Answer> {
    const body = multipart(uploadParts(form));
    return this.request('POST', '/api/v2/assets', {
      headers: { 'content-type': body.contentType, ...keyHeader(options.key), ...options.headers },
      body: body.bytes,
    });
  }

  /** An upload that must succeed; by default of new bytes. */
  async uploaded(form: UploadForm = {}): Promise<Asset> {
    const whole = {
      bytes: freshBytes(),
      content_type: 'application/octet-stream',
      file_path: `${randomUUID()}.bin`,
      ...form,
    };
    return jsonOf<Asset>(expectStatus(await this.upload(whole), 200, 201));
  }

  fromHash(body: unknown): Promise<Answer> {
    return this.postJson('/api/v2/assets/from-hash', body);
  }

  headByHash(hash: string): Promise<Answer> {
    return this.request('HEAD', `/api/v2/assets/by-hash/${hash}`);
  }

  asset(id: string): Promise<Answer> {
    return this.get(`/api/v2/assets/${id}`);
  }

  deleteAsset(id: string): Promise<Answer> {
    return this.request('DELETE', `/api/v2/assets/${id}`);
  }

  /** Its bytes, wherever the surface has them. */
  content(id: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.follow(`/api/v2/assets/${id}/content`, 'GET', { headers });
  }

  /** POST /api/v2/jobs with `{workflow, ...}`. */
  submit(workflow: unknown, options: SubmitOptions = {}): Promise<Answer> {
    const body = {
      workflow,
      ...(options.extraData === undefined ? {} : { extra_data: options.extraData }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
      ...options.more,
    };
    return this.submitRaw(JSON.stringify(body), options);
  }

  /** POST /api/v2/jobs with a raw body. */
  submitRaw(body: string | Uint8Array, options: Pick<SubmitOptions, 'key' | 'headers'> = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...keyHeader(options.key), ...options.headers };
    return this.request('POST', '/api/v2/jobs', { headers, body });
  }

  /** A submission that must succeed. */
  async submitted(workflow: unknown, options: SubmitOptions = {}): Promise<Job> {
    return jsonOf<Job>(expectStatus(await this.submit(workflow, options), 201));
  }

  job(id: string): Promise<Answer> {
    return this.get(`/api/v2/jobs/${id}`);
  }

  async jobNow(id: string): Promise<Job> {
    return jsonOf<Job>(expectStatus(await this.job(id), 200));
  }

  jobs(query = ''): Promise<Answer> {
    return this.get(`/api/v2/jobs${query}`);
  }

  async jobPage(query = ''): Promise<JobPage> {
    return jsonOf<JobPage>(expectStatus(await this.jobs(query), 200));
  }

  cancel(id: string): Promise<Answer> {
    return this.request('POST', `/api/v2/jobs/${id}/cancel`);
  }

  workflow(id: string): Promise<Answer> {
    return this.get(`/api/v2/jobs/${id}/workflow`);
  }

  events(id: string, headers: Record<string, string> = {}): Promise<EventStream> {
    const url = `${this.origin}/api/v2/jobs/${id}/events`;
    return openEventStream(url, { ...(authorization(this.options) as Record<string, string>), ...headers });
  }

  /** Polls until the job has the status (or one of them). */
  reached(id: string, status: JobStatus | readonly JobStatus[], withinMs?: number): Promise<Job> {
    const wanted = new Set<string>(typeof status === 'string' ? [status] : status);
    let last: Job | undefined;
    const look = async (): Promise<Job | null> => {
      last = await this.jobNow(id);
      if (!wanted.has(last.status) && isTerminal(last.status)) {
        throw new Error(
          `the job became ${last.status} instead of ${[...wanted].join()}: ${JSON.stringify(last.error)}`,
        );
      }
      return wanted.has(last.status) ? last : null;
    };
    return eventually(`job ${id} being ${[...wanted].join(' or ')}`, look, withinMs);
  }

  /** Polls until the job has ended. */
  ended(id: string, withinMs?: number): Promise<Job> {
    return this.reached(id, ['succeeded', 'failed', 'canceled', 'expired'], withinMs);
  }
}

export function expectStatus(answer: Answer, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`${describe(answer)}, not ${statuses.join(' or ')}: ${textOf(answer).slice(0, 500)}`);
}

function keyHeader(key: string | undefined): OutgoingHttpHeaders {
  return key === undefined ? {} : { 'idempotency-key': key };
}

function authorization(options: ClientOptions): OutgoingHttpHeaders {
  return options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
}
