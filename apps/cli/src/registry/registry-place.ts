import { parseBase } from '../api/parse-base.js';
import { SERVICE_NAMES } from '../api/place-names.js';
import type { PlaceNames } from '../api/place-names.js';
import type { CommandCall } from '../command-line/command.js';
import { envValue } from '../command-line/env-value.js';
import { serviceUrl } from '../command-line/service-place.js';
import type { RegistryPlace } from './registry-client.js';
import { savedTokens } from './saved-tokens.js';

type Given = Pick<CommandCall, 'options' | 'env'>;

const REGISTRY_NAMES: PlaceNames = {
  option: '--registry',
  variable: 'HEDDLE_REGISTRY_URL',
  example: '127.0.0.1:8189/registry',
};

/** The names follow what the user gave: an error about --url does not speak of --registry. */
export function registryPlace({ options, env }: Given): RegistryPlace {
  const url = options.text('registry') ?? envValue(env, 'HEDDLE_REGISTRY_URL');
  if (url !== null) return { url, names: REGISTRY_NAMES };
  const { origin, pathname } = parseBase(serviceUrl(options, env), SERVICE_NAMES);
  return { url: `${origin}${pathname.replace(/\/+$/, '')}/registry`, names: SERVICE_NAMES };
}

/**
 * Whether HEDDLE_TOKEN is for this registry too. As with npm and cargo, a credential of the environment goes where the user
 * has configured it to go and not wherever a pasted command line points: to the registry at the origin of the service, to
 * that of HEDDLE_REGISTRY_URL, and to one that the user has logged in to.
 */
export async function isOfService({ options, env }: Given): Promise<boolean> {
  const named = options.text('registry');
  if (named === null) return true;
  const { origin, pathname } = parseBase(named, REGISTRY_NAMES);
  if (origin === parseBase(serviceUrl(options, env), SERVICE_NAMES).origin) return true;
  const configured = envValue(env, 'HEDDLE_REGISTRY_URL');
  if (configured !== null && origin === parseBase(configured, REGISTRY_NAMES).origin) return true;
  return (await savedTokens(env, origin + pathname.replace(/\/+$/, ''))).length > 0;
}
