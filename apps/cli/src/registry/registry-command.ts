import type { Command, CommandCall, Option } from '../command-line/command.js';
import { RegistryClient } from './registry-client.js';
import { registryCredentials } from './registry-credentials.js';
import { isOfService, registryPlace } from './registry-place.js';

const REGISTRY: Option = {
  value: 'URL',
  meaning: 'address of the registry (HEDDLE_REGISTRY_URL; default: /registry below --url)',
};

export interface RegistryCall extends Omit<CommandCall, 'client'> {
  readonly registry: RegistryClient;
}

/** A command that calls the registry of node packages. */
interface RegistryCommand extends Omit<Command, 'run' | 'isLocal' | 'raw'> {
  run(call: RegistryCall): Promise<number>;
}

const TOKEN_NOTE =
  'HEDDLE_TOKEN is sent to the registry of --url, to that of HEDDLE_REGISTRY_URL and to one with a kept token. Another --registry gets only what --token gives.';

export function registryCommand({ run, options, notes, ...command }: RegistryCommand): Command {
  return {
    ...command,
    notes: async () => [...((await notes?.()) ?? []), TOKEN_NOTE],
    options: { ...options, registry: REGISTRY },
    async run(call) {
      const registry = await registryOf(call);
      try {
        return await run({ ...call, registry });
      } finally {
        await registry.close();
      }
    },
  };
}

/** The registry that a call names, for its caller to close. */
export async function registryOf(call: Pick<CommandCall, 'options' | 'env'>): Promise<RegistryClient> {
  const { options, env } = call;
  return new RegistryClient(registryPlace(call), registryCredentials(options, env, await isOfService(call)));
}
