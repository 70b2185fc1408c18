import type { Command, CommandCall, Option } from '../command-line/command.js';
import { envValue } from '../command-line/env-value.js';
import { serviceToken, serviceUrl } from '../command-line/service-place.js';
import { RegistryClient } from './registry-client.js';

const REGISTRY: Option = {
  value: 'URL',
  meaning: 'address of the registry (HEDDLE_REGISTRY_URL; default: /registry below --url)',
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
  const given = options.text('registry') ?? envValue(env, 'HEDDLE_REGISTRY_URL');
  const url = given ?? `${serviceUrl(options, env).replace(/\/+$/, '')}/registry`;
  return new RegistryClient(url, serviceToken(options, env));
}
