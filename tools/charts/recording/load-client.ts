import { randomUUID } from 'node:crypto';
import { jsonOf, multipart, openEventStream, send, uploadParts } from '@heddle/testing-api';
import type { Answer, EventStream, Sent } from '@heddle/testing-api';

/** One account at one host. It counts its answers by status: processes die under this load, so no answer is an error. */
export class LoadClient {
  readonly answers = new Map<string, number>();
  /** The steady load leaves it alone for now. */
  isQuiet = false;

  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string, host: string | null = null) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, ...(host === null ? {} : { host }) };
  }

  /** Id of the job; null if it was refused. */
  async submit(workflow: unknown): Promise<string | null> {
    const answer = await this.#ask({ ...json({ workflow }), method: 'POST', target: '/api/v2/jobs' });
    return answer?.status === 201 ? jsonOf<{ id: string }>(answer).id : null;
  }

  async cancel(id: string): Promise<void> {
    await this.#ask({ method: 'POST', target: `/api/v2/jobs/${id}/cancel` });
  }

  /** Id of the asset; null if it was refused. */
  async upload(bytes: Buffer): Promise<string | null> {
    const form = { bytes, content_type: 'application/octet-stream', file_path: `${randomUUID()}.bin` };
    const { bytes: body, contentType } = multipart(uploadParts(form));
    const headers = { 'content-type': contentType };
    const answer = await this.#ask({ method: 'POST', target: '/api/v2/assets', headers, body });
    return answer?.status === 201 ? jsonOf<{ id: string }>(answer).id : null;
  }

  /** Asks where the bytes of an asset are. The S3 server delivers them. */
  async content(id: string): Promise<void> {
    await this.#ask({ method: 'GET', target: `/api/v2/assets/${id}/content` });
  }

  /** A query that is not percent-encoded: 400. */
  async malformed(): Promise<void> {
    await this.#ask({ method: 'GET', target: '/api/v2/jobs?limit=%zz' });
  }

  /** A node class that does not exist: 422. */
  async invalid(): Promise<void> {
    await this.submit({ '1': { class_type: 'NoSuchNode', inputs: {} } });
  }

  /** A job that does not exist: 404. */
  async unknown(): Promise<void> {
    await this.#ask({ method: 'GET', target: `/api/v2/jobs/${randomUUID()}` });
  }

  /** Null if no stream was opened. */
  async watch(id: string): Promise<EventStream | null> {
    const url = `${this.#url}/api/v2/jobs/${id}/events`;
    return await openEventStream(url, this.#headers).catch(() => null);
  }

  async #ask(sent: Sent): Promise<Answer | null> {
    const answer = await send(this.#url, { ...sent, headers: { ...this.#headers, ...sent.headers } }).catch(() => null);
    const status = answer === null ? 'no answer' : String(answer.status);
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    return answer;
  }
}

function json(body: object): Pick<Sent, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
