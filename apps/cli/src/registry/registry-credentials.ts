import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import type { Arguments } from '../command-line/command.js';
import { secretValue } from '../command-line/env-value.js';
import { serviceToken } from '../command-line/service-place.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

/** What the command line and the environment give: the credential of an account, and the token of a publisher. */
export interface RegistryCredentials {
  /** Null: none is given. */
  readonly account: string | null;
  /** Null: none is given; one may be kept. */
  readonly token: string | null;
  /** Where the token of a publisher stands in the place of the account's credential; null: it does not. */
  readonly misplaced: '--token' | 'HEDDLE_TOKEN' | null;
  /** The service's credential is in the environment, and this registry is not one that it is meant for. */
  readonly isWithheld: boolean;
}

/** `--token` takes both: a publisher's token has a form of its own. `isOfService`: HEDDLE_TOKEN is for this registry too. */
export function registryCredentials(
  options: Arguments,
  env: ProcessVariables,
  isOfService: boolean,
): RegistryCredentials {
  const isOption = options.text('token') !== null;
  const found = serviceToken(options, env);
  const isWithheld = found !== null && !isOption && !isOfService;
  const given = isWithheld ? null : found;
  const token = secretValue(env, 'HEDDLE_REGISTRY_TOKEN');
  if (given?.startsWith(PUBLISHER_TOKEN.prefix) !== true) return { account: given, token, misplaced: null, isWithheld };
  // What is typed goes before the environment, and the variable that is meant for it before the other one.
  return {
    account: null,
    token: isOption ? given : (token ?? given),
    misplaced: isOption ? '--token' : 'HEDDLE_TOKEN',
    isWithheld,
  };
}
