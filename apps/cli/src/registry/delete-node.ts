import { ApiError } from '../api/api-error.js';
import { codedFailure, EXIT } from '../failure.js';
import { publisherOf } from './member-credential.js';
import { nodePath, SEARCH_STEP } from './node-name.js';
import { recordsIn, textIn } from './registry-answers.js';
import type { RegistryClient } from './registry-client.js';

/** Deletes a node as its owner; once more: it stays deleted. */
export async function deleteNode(registry: RegistryClient, nodeId: string): Promise<void> {
  const publisher = await unlessMissing(publisherOf(registry, nodeId));
  if (publisher !== null) await deleteOf(registry, publisher, nodeId);
  else await deleteAgain(registry, nodeId);
}

/** The owner of a deleted node cannot be read, but the route of its publisher still knows it. */
async function deleteAgain(registry: RegistryClient, nodeId: string): Promise<void> {
  for (const own of recordsIn(await registry.call('GET', '/users/publishers', { as: 'account' }))) {
    const deleted = await unlessMissing(deleteOf(registry, textIn(own, 'id'), nodeId));
    if (deleted !== null) return;
  }
  const message = `no node ${nodeId} here, and no publisher of yours had it`;
  throw codedFailure('not_found', message, EXIT.failed, SEARCH_STEP);
}

async function deleteOf(registry: RegistryClient, publisher: string, nodeId: string): Promise<unknown> {
  const path = `/publishers/${encodeURIComponent(publisher)}${nodePath(nodeId)}`;
  return (await registry.send('DELETE', path, { as: 'account' })).status;
}

/** Null: it is not there, or another publisher's. */
async function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden')) return null;
    throw error;
  }
}
