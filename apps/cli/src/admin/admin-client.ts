import { ApiClient } from '../api/api-client.js';
import { ApiError } from '../api/api-error.js';
import { CliFailure, EXIT, unreachable } from '../failure.js';
import type { AdminPlace } from './admin-place.js';

const START = 'it is served on the operations port of a running Heddle; name another with --admin-url';

const ADMIN_NAMES = { option: '--admin-url', variable: 'HEDDLE_ADMIN_URL', example: '127.0.0.1:9189' };

/** Calls the admin API. Refusals get the exit codes of the commands: 2 for a wrong option, 1 for everything else. */
export class AdminClient {
  #client: ApiClient | null = null;

  /** `place` is asked for with the first call: a wrong option is reported although no admin API runs. */
  constructor(private readonly place: () => Promise<AdminPlace>) {}

  /** The body of the answer; `path` is below `/admin/v1/`. */
  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const link = `/admin/v1/${path}`;
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const client = (this.#client ??= await this.#open());
    try {
      return (await client.json(method, link, sent)).body;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        if (!(await isServed(client, ''))) throw elsewhere(error, client.origin);
        const things = OF_ACCOUNTS[kindOf(path)];
        if (things !== undefined && !(await isServed(client, '/accounts?limit=1')))
          throw withoutAccounts(error, client.origin, things);
      }
      throw explained(error, client.origin, method, path);
    }
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  async #open(): Promise<ApiClient> {
    const { url, token } = await this.place();
    return new ApiClient(url, token, ADMIN_NAMES);
  }
}

async function isServed(client: ApiClient, call: string): Promise<boolean> {
  return await client.json('GET', `/admin/v1${call}`).then(
    () => true,
    (error: unknown) => !(error instanceof ApiError && error.status === 404),
  );
}

/** Something answers there: mostly the public API, whose address people know. */
function elsewhere({ code }: ApiError, origin: string): CliFailure {
  const what = code === 'not_found' ? 'answers as the public API, not as the admin API' : 'serves no admin API';
  return unreachable(
    `${origin} ${what}`,
    'the admin API is on the operations port of a managed or dedicated Heddle (HEDDLE_OPS_PORT, by default the port of the public API ' +
      'and 1000): name it with --admin-url or HEDDLE_ADMIN_URL',
  );
}

/** What a surface without accounts does not have, by the first part of its path. */
const OF_ACCOUNTS: Readonly<Record<string, string>> = {
  accounts: 'accounts',
  keys: 'API keys',
  deployments: 'deployments',
  credits: 'credits',
  'credit-check': 'credits',
  prices: 'prices',
};

function withoutAccounts({ error }: ApiError, origin: string, things: string): CliFailure {
  return new CliFailure(
    `the admin API at ${origin} has no ${things}`,
    EXIT.failed,
    'the self-hosted surface has none: they exist on managed and dedicated (HEDDLE_SURFACE)',
    error,
  );
}

/** What lists the things whose names a path holds. */
const LISTS: Readonly<Record<string, string>> = {
  accounts: 'heddle accounts list',
  credits: 'heddle accounts list',
  deployments: 'heddle deployments list',
  prices: 'heddle deployments list',
  keys: 'heddle keys list',
};

/** Where the operator sees what was done. */
const TRACES: Readonly<Record<string, string>> = { ...LISTS, credits: 'heddle credits ledger' };

function kindOf(path: string): string {
  return path.split(/[/?]/)[0] ?? '';
}

function explained(error: unknown, origin: string, method: string, path: string): unknown {
  const kind = kindOf(path);
  if (error instanceof ApiError && error.status === 404 && LISTS[kind] !== undefined)
    return new CliFailure(error.message, EXIT.failed, `${LISTS[kind]} shows what there is`, error.error);
  // Every hash has a verdict, whether its bytes are stored or not: only the call itself can be missing.
  if (error instanceof ApiError && error.status === 404 && kind === 'assets')
    return new CliFailure(
      `the admin API at ${origin} has no moderation`,
      EXIT.failed,
      'the self-hosted surface has none: HEDDLE_SURFACE=managed and dedicated moderate assets',
      error.error,
    );
  if (error instanceof ApiError && error.status === 500 && method !== 'GET' && TRACES[kind] !== undefined)
    return new CliFailure(error.message, EXIT.failed, `${TRACES[kind]} shows whether it was done`, error.error);
  if (error instanceof ApiError && error.code === 'unauthorized')
    return new CliFailure(
      error.message,
      EXIT.failed,
      'set HEDDLE_ADMIN_TOKEN to the token of that service',
      error.error,
    );
  if (error instanceof ApiError && error.status === 422)
    return new CliFailure(error.message, EXIT.usage, error.nextStep, error.error);
  if (error instanceof CliFailure && error.exitCode === EXIT.unreachable)
    return unreachable(error.message.replace(origin, `the admin API at ${origin}`), START);
  return error;
}
