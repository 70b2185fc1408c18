import type { Arguments } from './command.js';
import { envValue, secretValue } from './env-value.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

const DEFAULT_URL = 'http://127.0.0.1:8189';

/** Where the service is: --url, HEDDLE_URL or the default address. */
export function serviceUrl(options: Arguments, env: ProcessVariables): string {
  return options.text('url') ?? envValue(env, 'HEDDLE_URL') ?? DEFAULT_URL;
}

/** The account's credential: an API key, or the static token of a self-hosted service; null: none is given. */
export function serviceToken(options: Arguments, env: ProcessVariables): string | null {
  return options.text('token') ?? secretValue(env, 'HEDDLE_TOKEN') ?? secretValue(env, 'HEDDLE_STATIC_TOKEN');
}
