import { ApiError } from '../api/api-error.js';
import { secretValue } from '../command-line/env-value.js';
import type { Credential, RegistryClient } from './registry-client.js';
import { recordIn, textIn } from './registry-answers.js';
import { nodePath } from './node-name.js';
import { savedToken } from './saved-tokens.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The token of a publisher: HEDDLE_REGISTRY_TOKEN, else the one that `registry login` has kept. */
export async function publisherToken(
  env: Environment,
  registry: RegistryClient,
  publisher: string,
): Promise<string | null> {
  return secretValue(env, 'HEDDLE_REGISTRY_TOKEN') ?? (await savedToken(env, registry.base, publisher));
}

/** A member's credential: the account's if one is given, else the publisher's token if there is one. */
export async function memberCredential(
  env: Environment,
  registry: RegistryClient,
  publisher: string,
): Promise<Credential> {
  if (registry.hasAccount) return 'account';
  const token = await publisherToken(env, registry, publisher);
  return token === null ? 'account' : { token };
}

/** The publisher that a node belongs to. */
export async function publisherOf(registry: RegistryClient, nodeId: string): Promise<string> {
  return textIn(recordIn(recordIn(await registry.call('GET', nodePath(nodeId)))['publisher']), 'id');
}

/** The same for a read: members see more, and everybody else reads without a credential. */
export async function readerCredential(
  env: Environment,
  registry: RegistryClient,
  nodeId: string,
): Promise<Credential> {
  if (registry.hasAccount) return 'account';
  try {
    return await memberCredential(env, registry, await publisherOf(registry, nodeId));
  } catch (error) {
    // The read that follows says it better.
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return 'nobody';
    throw error;
  }
}
