import { ApiError } from '../api/api-error.js';
import type { Credential, RegistryClient } from './registry-client.js';
import { recordIn, textIn } from './registry-answers.js';
import { nodePath } from './node-name.js';
import { savedToken, savedTokens } from './saved-tokens.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

/** The token of a publisher: the one that is given, else the one that `registry login` has kept. */
export async function publisherToken(
  env: ProcessVariables,
  registry: RegistryClient,
  publisher: string,
): Promise<string | null> {
  return registry.givenToken ?? (await savedToken(env, registry.base, publisher));
}

/** A member's credential: the account's if one is given, else the publisher's token if there is one. */
export async function memberCredential(
  env: ProcessVariables,
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

/**
 * The same for a read, where members see more. Several: whose node it is cannot be read while it is withheld, so it may be
 * that of any token that is kept.
 */
export async function readerCredentials(
  env: ProcessVariables,
  registry: RegistryClient,
  nodeId: string,
): Promise<readonly Credential[]> {
  if (registry.hasAccount) return ['account'];
  if (registry.givenToken !== null) return [{ token: registry.givenToken }];
  const kept = await savedTokens(env, registry.base);
  if (kept.length === 0) return ['account'];
  try {
    return [await memberCredential(env, registry, await publisherOf(registry, nodeId))];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The read that follows says it better.
    if (error.status === 404) return ['nobody'];
    if (error.status === 403) return kept.map((token) => ({ token }));
    throw error;
  }
}
