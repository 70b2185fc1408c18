import { ApiError } from '../api/api-error.js';
import { readerCredentials } from './member-credential.js';
import type { Credential } from './registry-client.js';
import type { RegistryCall } from './registry-command.js';

/**
 * A read as a member of the node's publisher, who sees more. Reads need no credential: one that the registry does not
 * accept is reported, and the read goes on without it.
 */
export async function readAsMember<T>(
  { registry, env, terminal }: Pick<RegistryCall, 'registry' | 'env' | 'terminal'>,
  nodeId: string,
  read: (as: Credential) => Promise<T>,
): Promise<T> {
  let withheld: ApiError | null = null;
  for (const as of await readerCredentials(env, registry, nodeId)) {
    try {
      return await read(as);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 && as !== 'nobody') {
        terminal.say(`heddle: ${registry.base} does not accept ${nameOf(as)}; reading without it`);
        terminal.say(`        ${stepOf(as)}`);
      } else if (error.status !== 403) throw error;
      // A member gets the reason of a ban, too: that message is the longer one.
      else if (withheld === null || error.message.length > withheld.message.length) withheld = error;
    }
  }
  if (withheld !== null) throw withheld;
  return await read('nobody');
}

function nameOf(as: Credential): string {
  return as === 'account'
    ? 'the credential of --token or HEDDLE_TOKEN'
    : "the publisher's token, which is wrong, expired or revoked";
}

function stepOf(as: Credential): string {
  return as === 'account'
    ? 'give another one, or none: reads need none'
    : 'heddle registry login PUBLISHER keeps another one; HEDDLE_REGISTRY_TOKEN and --token are used before it';
}
