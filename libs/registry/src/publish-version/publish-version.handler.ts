import { Injectable } from '@nestjs/common';
import { refuseRegistry } from '@heddle/contracts-registry';
import { checkedBody, RejectionError } from '@heddle/platform-http';
import { changeText, isNodeId, nodeKey, publish, repositoryKey, skeletonOf } from '@heddle/registry-domain';
import type { NodeState, NodeText } from '@heddle/registry-domain';
import type { GoodToken, RegistryCaller } from '../authorize/caller.js';
import { tokenMay } from '../authorize/membership.js';
import { FailedTokens } from '../authorize/registry-gate.js';
import { TokenCheck } from '../authorize/token-check.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import type { Fields } from '../read-request/node-body.dto.js';
import { refused } from '../refused.js';
import { RegistrySettings } from '../settings.js';
import type { PublishBody } from './publish-body.dto.js';
import { conflictSql, countNodesSql, countVersionsSql } from './publish-rates.sql.js';

const DAY_S = 86_400;
const INVALID_TOKEN = refuseRegistry('invalid_token', { case: 'token' });

export interface PublishRequest {
  readonly publisher: string;
  readonly nodeId: string;
  readonly caller: RegistryCaller;
  /** As they were sent. */
  readonly fields: Fields;
}

/** A version that waits for its bytes, and the number of the upload URL that is good for them. */
export interface PublishedVersion {
  readonly versionId: string;
  readonly upload: number;
}

/** A new version of a node, which is made if nobody has it. All of it is one transaction: a refusal changes nothing. */
@Injectable()
export class PublishVersionHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly tokens: TokenCheck,
    private readonly failures: FailedTokens,
    private readonly settings: RegistrySettings,
  ) {}

  /** Checks come in the order of the registry decisions (Order of checks of publish). */
  async handle({ publisher, nodeId, caller, fields }: PublishRequest): Promise<PublishedVersion> {
    const token = await this.#token(fields, publisher, caller);
    return await this.log.commit(async (unit) => {
      const owner = await unit.publisher(publisher, 'share');
      if (owner === null) throw refused('invalid_token', { case: 'token' });
      if (owner.state.status === 'banned') throw refused('publisher_banned', { case: 'publisher', id: publisher });
      const node = isNodeId(nodeId) ? await unit.node(nodeId) : null;
      if (node !== null) assertOwn(node.state, publisher);
      tokenMay(token, 'publish', nodeId);
      const body = await checkedBody(
        fields,
        async () => (await import('./publish-body.dto.js')).PublishBody,
        (_, all) => idProblems(nodeId, all),
      );
      return await this.#publish(unit, node, { publisher, nodeId, token, body });
    });
  }

  async #token(
    fields: Fields,
    publisher: string,
    { address, token: bearer, accountId }: RegistryCaller,
  ): Promise<GoodToken> {
    const text = fields['personal_access_token'] ?? '';
    if (text === '') {
      const hasBearer = bearer !== null || (accountId !== null && this.settings.surface !== 'self-hosted');
      throw hasBearer
        ? refused('invalid_request', { case: 'fields', problems: ['The field personal_access_token is required.'] })
        : refused('unauthorized', { case: 'token' });
    }
    const token = typeof text === 'string' ? await this.tokens.find(text) : null;
    if (token?.publisherId === publisher) return token;
    throw new RejectionError(this.failures.failed(address, INVALID_TOKEN));
  }

  async #publish(
    unit: RegistryUnit,
    node: Stored<NodeState> | null,
    given: {
      readonly publisher: string;
      readonly nodeId: string;
      readonly token: GoodToken;
      readonly body: PublishBody;
    },
  ): Promise<PublishedVersion> {
    const { publisher, nodeId, token, body } = given;
    const id = node?.state.nodeId ?? nodeId;
    const text = body.node!.toText(node?.state.text ?? null, id);
    const number = body.node_version!.toNumber();
    const version = node === null ? null : await unit.version(id, number.text);
    if (node === null || version === null) await this.#assertRate(unit, node, given);
    await this.#assertFree(unit, id, text);
    const actor = `token:${token.tokenId}`;
    const data = { actor, node_id: id, version: number.text, sha256: body.node_version!.toSha256() };
    const decision = publish(version?.state ?? null, { ...data, text: body.node_version!.toText() });
    if (!decision.ok) throw refused('version_exists', { case: 'version', id: `${id}@${number.text}` });
    if (node === null) {
      if (this.settings.reserved.has(nodeKey(id))) throw refused('forbidden', { case: 'reserved', id });
      const made = await unit.createNode({
        type: 'NodeCreated',
        data: { actor, node_id: id, publisher_id: publisher, text },
      });
      // Another publish made it, or one that looks like it, since it was looked for.
      if (made === null) throw refused('name_too_similar', { case: 'node', id, other: id });
    } else {
      await unit.changeNode(node, changeText(node.state, text, actor));
    }
    const { streamId, state } = await unit.changeVersion(version, decision.events);
    return { versionId: streamId, upload: state.upload };
  }

  async #assertRate(
    { client }: RegistryUnit,
    node: Stored<NodeState> | null,
    { publisher, nodeId }: { readonly publisher: string; readonly nodeId: string },
  ): Promise<void> {
    const { newNodesDay, versionsDay } = this.settings;
    const isNew = node === null;
    const [text, key, limit] = isNew
      ? ([countNodesSql, publisher, newNodesDay] as const)
      : ([countVersionsSql, nodeKey(nodeId), versionsDay] as const);
    const { rows } = await client.query<{ made: number }>(text, [key, limit]);
    if (rows[0]!.made < limit) return;
    throw refused('rate_limited', { case: isNew ? 'new_nodes' : 'versions', limit }, { retryAfterSeconds: DAY_S });
  }

  async #assertFree({ client }: RegistryUnit, id: string, text: NodeText): Promise<void> {
    const values = [nodeKey(id), skeletonOf(id), repositoryKey(text.repository)];
    const { rows } = await client.query<{ id: string; is_alike: boolean }>(conflictSql, values);
    const other = rows[0];
    if (other === undefined) return;
    throw other.is_alike
      ? refused('name_too_similar', { case: 'node', id, other: other.id })
      : refused('repository_taken', { case: 'repository', other: other.id });
  }
}

/** Banned nodes and nodes of others are refused alike to every token. */
function assertOwn({ nodeId: id, publisherId, status }: NodeState, publisher: string): void {
  if (publisherId !== publisher) throw refused('forbidden', { case: 'node', id });
  if (status === 'banned') throw refused('node_banned', { case: 'node', id });
  if (status === 'deleted') throw refused('not_found', { case: 'node', id });
}

/** The id stands in the path; in the body it is repeated or left out. */
function idProblems(nodeId: string, fields: Fields): Readonly<Record<string, string>> {
  if (!isNodeId(nodeId)) {
    return { nodeId: 'must be 1 to 100 letters, digits, ".", "_" or "-", the first and the last a letter or digit' };
  }
  const { node } = fields as { readonly node?: { readonly id?: unknown } };
  const id = node?.id ?? '';
  const isSame = typeof id !== 'string' || id === '' || nodeKey(id) === nodeKey(nodeId);
  return isSame ? {} : { 'node.id': `must be the id of the path, ${nodeId}` };
}
