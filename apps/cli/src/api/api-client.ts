import { CollectedBytes } from '@heddle/platform-http/collected-bytes';
import { tokenFault } from '@heddle/platform-settings';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { failed, unreachable, wrongUsage } from '../failure.js';
import { apiError, bodilessError } from './api-error.js';
import { localhostLookup } from './localhost-lookup.js';
import { parseBase } from './parse-base.js';
import { SERVICE_NAMES } from './place-names.js';
import type { PlaceNames } from './place-names.js';

type Headers = Readonly<Record<string, string>>;
type Body = Uint8Array | string | AsyncIterable<Uint8Array>;

export interface ApiRequest {
  readonly headers?: Headers;
  readonly body?: Body;
  readonly signal?: AbortSignal;
  /** Time-out between bytes of the answer in milliseconds; 0 waits for ever. */
  readonly bodyTimeoutMs?: number;
  /** Time-out for the start of the answer in milliseconds. */
  readonly headersTimeoutMs?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 60_000;
/** A job with a thousand outputs has half a mebibyte; much larger answers are not from Heddle. */
const ANSWER_BYTES = 32 * 1024 * 1024;

/** Calls one Heddle. The token is sent only to its origin, whatever a link says. */
export class ApiClient {
  readonly origin: string;
  private readonly prefix: string;
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: localhostLookup },
    keepAliveTimeout: 4_000,
  });

  constructor(
    url: string,
    private readonly token: string | null,
    /** In which words an error speaks of the URL. */
    private readonly names: PlaceNames = SERVICE_NAMES,
  ) {
    const base = parseBase(url, names);
    const fault = token === null ? null : tokenFault(token);
    if (fault !== null) throw wrongUsage(`invalid token: ${fault}`);
    this.origin = base.origin;
    this.prefix = base.pathname.replace(/\/+$/, '');
  }

  /** The address that links are resolved on, without a last slash. */
  get base(): string {
    return this.origin + this.prefix;
  }

  /** Sends a request and parses a JSON answer; throws ApiError for a status of 400 and above. */
  async json(method: Dispatcher.HttpMethod, link: string, options: ApiRequest = {}): Promise<ApiAnswer> {
    const answer = await this.send(method, link, options);
    const body =
      method === 'HEAD'
        ? (await answer.body.dump(), bodilessError(answer.statusCode))
        : parseJson(await this.readAll(answer));
    if (answer.statusCode >= 400) throw apiError(this.headOf(answer), body);
    if (answer.statusCode >= 300)
      throw failed(`the service redirects (${answer.statusCode}); check ${this.names.option}`);
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  /**
   * Sends a request, checks the status, and returns the unread body. A redirect to signed content is followed once,
   * wherever it leads, and without the token.
   */
  async stream(link: string, options: ApiRequest = {}): Promise<Dispatcher.ResponseData> {
    const first = await this.send('GET', link, options);
    const target = redirectOf(first);
    if (target !== null) await first.body.dump();
    const answer = target === null ? first : await this.request('GET', target, options);
    if (answer.statusCode < 300) return answer;
    if (answer.statusCode < 400)
      throw failed(`the service redirects (${answer.statusCode}) to nowhere; check ${this.names.option}`);
    throw apiError(this.headOf(answer), parseJson(await this.readAll(answer)));
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /**
   * The URL of a link on this service. A link to another origin (behind a proxy that the service does not know) keeps
   * its path; only the user's origin is ever called.
   */
  resolve(link: string): string {
    const { pathname, search } = new URL(link, `${this.origin}/`);
    const path = this.prefix !== '' && !pathname.startsWith(`${this.prefix}/`) ? this.prefix + pathname : pathname;
    return `${this.origin}${path}${search}`;
  }

  private async send(
    method: Dispatcher.HttpMethod,
    link: string,
    options: ApiRequest,
  ): Promise<Dispatcher.ResponseData> {
    const credential: Headers = this.token === null ? {} : { authorization: `Bearer ${this.token}` };
    return await this.request(method, this.resolve(link), {
      ...options,
      headers: { ...credential, ...options.headers },
    });
  }

  private async request(
    method: Dispatcher.HttpMethod,
    url: string,
    options: ApiRequest,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await request(url, {
        method,
        dispatcher: this.agent,
        headers: {
          accept: 'application/json',
          'user-agent': `heddle-cli/${heddleVersion()}`,
          ...options.headers,
        },
        body: options.body as Dispatcher.DispatchOptions['body'],
        signal: options.signal,
        headersTimeout: options.headersTimeoutMs ?? ANSWER_TIMEOUT_MS,
        bodyTimeout: options.bodyTimeoutMs ?? ANSWER_TIMEOUT_MS,
      });
    } catch (error) {
      throw this.explain(error, new URL(url).origin);
    }
  }

  private headOf({ statusCode, headers }: Dispatcher.ResponseData): Parameters<typeof apiError>[0] {
    return { status: statusCode, headers, origin: this.origin, names: this.names };
  }

  private async readAll(answer: Dispatcher.ResponseData): Promise<string> {
    const collected = new CollectedBytes(ANSWER_BYTES);
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        if (collected.size + chunk.length > ANSWER_BYTES)
          throw failed(`the answer is larger than any answer of Heddle; check ${this.names.option}`);
        collected.add(chunk);
      }
    } catch (error) {
      throw this.explain(error);
    }
    return collected.bytes().toString('utf8');
  }

  /** Connection errors get exit code 3; others pass unchanged. */
  explain(error: unknown, origin = this.origin): unknown {
    const code = connectionCode(error);
    if (code === null) return error;
    const reason = REASONS[code] ?? code;
    if (origin !== this.origin)
      return unreachable(`${origin}, where ${this.origin} keeps content, cannot be reached: ${reason}`, CONTENT_STEP);
    const { option, variable } = this.names;
    if (NO_TLS.has(code))
      return unreachable(`${this.origin} does not speak https`, `try ${option} ${this.base.replace(/^https/, 'http')}`);
    return unreachable(
      `${this.origin} cannot be reached: ${reason}`,
      `start Heddle with "npm start" (or "heddle serve"), or name another with ${option} or ${variable}`,
    );
  }
}

const CONTENT_STEP =
  'content comes by signed URLs from the object store: let this machine reach it, or ask the operator';

/** Where a redirect leads; null for another answer. */
function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  const { location } = headers;
  if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string') return null;
  return URL.canParse(location) && /^https?:/.test(location) ? location : null;
}

/** What TLS says to an answer in plain text. */
const NO_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'EPROTO',
]);

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped halfway',
};

function connectionCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name === 'AbortError') return null;
  const { code, cause } = error as Error & { code?: unknown; cause?: unknown };
  if (error instanceof AggregateError) return connectionCode(error.errors[0]);
  if (
    typeof code === 'string' &&
    (code in REASONS || /^(E[A-Z]+|UND_ERR_|ERR_TLS|CERT_|DEPTH_|SELF_|UNABLE_)/.test(code))
  )
    return code;
  return cause === undefined ? null : connectionCode(cause);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
