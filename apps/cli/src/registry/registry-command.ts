import { parseBase } from '../api/parse-base.js';
import { SERVICE_NAMES } from '../api/place-names.js';
import type { PlaceNames } from '../api/place-names.js';
import type { Command, CommandCall, Option } from '../command-line/command.js';
import { envValue } from '../command-line/env-value.js';
import { serviceUrl } from '../command-line/service-place.js';
import { RegistryClient } from './registry-client.js';
import type { RegistryPlace } from './registry-client.js';
import { registryCredentials } from './registry-credentials.js';

const REGISTRY: Option = {
  value: 'URL',
  meaning: 'address of the registry (HEDDLE_REGISTRY_URL; default: /registry below --url)',
};

const REGISTRY_NAMES: PlaceNames = {
  option: '--registry',
  variable: 'HEDDLE_REGISTRY_URL',
  example: '127.0.0.1:8189/registry',
};

export interface RegistryCall extends Omit<CommandCall, 'client'> {
  readonly registry: RegistryClient;
}

/** A command that calls the registry of node packages. */
export interface RegistryCommand extends Omit<Command, 'run' | 'isLocal' | 'raw'> {
  run(call: RegistryCall): Promise<number>;
}

export function registryCommand({ run, options, ...command }: RegistryCommand): Command {
  return {
    ...command,
    options: { ...options, registry: REGISTRY },
    async run(call) {
      const registry = registryOf(call);
      try {
        return await run({ ...call, registry });
      } finally {
        await registry.close();
      }
    },
  };
}

/** The registry that a call names, for its caller to close. */
export function registryOf({ options, env }: Pick<CommandCall, 'options' | 'env'>): RegistryClient {
  return new RegistryClient(registryPlace({ options, env }), registryCredentials(options, env));
}

/** The names follow what the user gave: an error about --url does not speak of --registry. */
function registryPlace({ options, env }: Pick<CommandCall, 'options' | 'env'>): RegistryPlace {
  const url = options.text('registry') ?? envValue(env, 'HEDDLE_REGISTRY_URL');
  if (url !== null) return { url, names: REGISTRY_NAMES };
  const { origin, pathname } = parseBase(serviceUrl(options, env), SERVICE_NAMES);
  return { url: `${origin}${pathname.replace(/\/+$/, '')}/registry`, names: SERVICE_NAMES };
}
