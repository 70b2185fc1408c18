import type { Dispatcher } from 'undici';
import { ApiClient } from '../api/api-client.js';
import type { ApiAnswer, ApiRequest } from '../api/api-client.js';
import { ApiError } from '../api/api-error.js';
import type { PlaceNames } from '../api/place-names.js';
import { CliFailure, EXIT, failed, unreachable, wrongUsage } from '../failure.js';
import type { RegistryCredentials } from './registry-credentials.js';

/** What an address answers that serves something else of Heddle: the commands call only routes that a registry has. */
const NOT_A_REGISTRY = 'not_found: There is nothing here, or it is not yours.';

/** Whose credential a call carries: the account's, none, or a publisher's token. */
export type Credential = 'account' | 'nobody' | { readonly token: string };

interface RegistryRequest {
  readonly as?: Credential;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface RegistryPlace {
  readonly url: string;
  /** In which words errors speak of it. */
  readonly names: PlaceNames;
}

/** Calls one registry, each call with the credential that it names. */
export class RegistryClient {
  readonly #clients = new Map<string | null, ApiClient>();

  constructor(
    private readonly place: RegistryPlace,
    private readonly credentials: RegistryCredentials,
  ) {}

  get hasAccount(): boolean {
    return this.credentials.account !== null;
  }

  /** The publisher's token of the command line or the environment; null: none is given. */
  get givenToken(): string | null {
    return this.credentials.token;
  }

  /** The registry's address, without a last slash. */
  get base(): string {
    return this.#client('nobody').base;
  }

  /** The body of the answer; `path` is below the registry's address, and `null` is that of an empty answer. */
  async call(method: Dispatcher.HttpMethod, path: string, { as, body }: RegistryRequest = {}): Promise<unknown> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return (await this.send(method, path, { as, ...sent })).body;
  }

  async send(
    method: Dispatcher.HttpMethod,
    link: string,
    { as = 'nobody', ...request }: ApiRequest & { readonly as?: Credential | undefined },
  ): Promise<ApiAnswer> {
    return await this.#explained(async (client) => await client.json(method, link, request), as);
  }

  /** The unread body of a download. */
  async stream(link: string): Promise<AsyncIterable<Buffer>> {
    const answer = await this.#explained(async (client) => await client.stream(link, { headers: { accept: '*/*' } }));
    return answer.body as AsyncIterable<Buffer>;
  }

  /** Connection errors while a body is read. */
  explain(error: unknown): unknown {
    return explained(this.#client('nobody').explain(error), this.base);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  async #explained<T>(ask: (client: ApiClient) => Promise<T>, as: Credential = 'nobody'): Promise<T> {
    try {
      return await ask(this.#client(as));
    } catch (error) {
      if (as === 'account' && this.credentials.isWithheld) throw withheld(error, this.base);
      throw explained(error, this.base);
    }
  }

  #client(as: Credential): ApiClient {
    const token = as === 'account' ? this.#account() : as === 'nobody' ? null : as.token;
    const known = this.#clients.get(token);
    if (known !== undefined) return known;
    const made = new ApiClient(this.place.url, token, this.place.names);
    this.#clients.set(token, made);
    return made;
  }

  #account(): string | null {
    const { account, misplaced } = this.credentials;
    if (misplaced === null) return account;
    throw wrongUsage(
      `${misplaced} holds the token of a publisher, and this needs the credential of an account`,
      'an API key, or on self-hosted the static token, if the service has one; without one leave it out',
    );
  }
}

/** A bare 401 does not say that the credential was there and was not sent. */
function withheld(error: unknown, base: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return explained(error, base);
  const step =
    `HEDDLE_TOKEN was not sent to ${base}, which nothing but --registry names: ` +
    'set HEDDLE_REGISTRY_URL to it if it is yours, or give --token';
  return new CliFailure(error.message, error.exitCode, step, error.error);
}

function explained(error: unknown, base: string): unknown {
  if (error instanceof ApiError && error.status === 404 && error.message === NOT_A_REGISTRY) {
    return failed(
      `no registry answers at ${base}`,
      `standalone serves it at ${new URL(base).origin}/registry: name it with --registry or HEDDLE_REGISTRY_URL`,
    );
  }
  if (!(error instanceof CliFailure) || error.exitCode !== EXIT.unreachable) return error;
  const { origin } = new URL(base);
  return unreachable(error.message.replace(origin, `the registry at ${base}`), error.nextStep);
}
