import { Injectable } from '@nestjs/common';
import { CALLER_REFUSALS, refuseCredential } from '@heddle/contracts-registry';
import { checkedBody, RejectionError } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import { changeText, createNode, isNodeId, publish } from '@heddle/registry-domain';
import type { RegistryNodeState } from '@heddle/registry-domain';
import { assertPublisherNotBanned } from '../authorize/ban-refusals.js';
import type { VerifiedToken, RegistryCaller } from '../authorize/caller.js';
import { tokenMay } from '../authorize/membership.js';
import { TokenCheck } from '../authorize/token-check.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { assertFree, assertNotReserved } from '../commit-events/assert-free.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { assertOwn } from '../load-for-write/written-nodes.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { idProblems } from '../read-request/id-problems.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { RegistrySettings } from '../settings.js';
import type { PublishBody } from './publish-body.dto.js';
import { assertNodeRate, assertVersionRate } from './publish-rates.js';

interface PublishRequest {
  readonly publisher: string;
  readonly nodeId: string;
  readonly caller: RegistryCaller;
  /** As they were sent. */
  readonly fields: GivenFields;
}

/**
 * A new version of a node, which is made if nobody has it. All of it is one transaction: a refusal changes nothing, and
 * the answer needs no other read, so that what is committed does not end as an error.
 */
@Injectable()
export class PublishVersionHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly tokens: TokenCheck,
    private readonly failures: FailedCredentials,
    private readonly settings: RegistrySettings,
  ) {}

  /** Checks come in the order of the registry decisions (Order of checks of publish). */
  async handle({ publisher, nodeId, caller, fields }: PublishRequest): Promise<VersionRecord> {
    const token = await this.#token(fields, publisher, caller);
    return await this.log.commit(async (unit) => {
      const owner = await unit.publisher(publisher, 'share');
      if (owner === null) throw registryRefusal('invalid_token', { case: 'token' });
      assertPublisherNotBanned(owner.state);
      const node = isNodeId(nodeId) ? await unit.nodeToBe(nodeId) : null;
      if (node !== null) assertNotDeleted(node.state, publisher);
      if (node !== null) assertOwn(node.state, publisher);
      tokenMay(token, 'publish', nodeId);
      const body = await checkedBody(
        fields,
        async () => (await import('./publish-body.dto.js')).PublishBody,
        () => idProblems(nodeId, nodeIdIn(fields), 'node.id'),
      );
      return await this.#publish(unit, node, { publisher, nodeId, token, body });
    });
  }

  async #token(
    fields: GivenFields,
    publisher: string,
    { address, token: bearer, accountId }: RegistryCaller,
  ): Promise<VerifiedToken> {
    const text = fields['personal_access_token'] ?? '';
    if (text === '') {
      const hasBearer = bearer !== null || (accountId !== null && this.settings.surface !== 'self-hosted');
      throw hasBearer
        ? registryRefusal('invalid_request', { case: 'no_token' })
        : registryRefusal('unauthorized', { case: 'token' });
    }
    const token = typeof text === 'string' ? await this.tokens.find(text) : null;
    if (token?.publisherId === publisher) return token;
    throw new RejectionError(refuseCredential(CALLER_REFUSALS.invalidToken, this.failures.failed(address)));
  }

  async #publish(
    unit: RegistryUnit,
    node: Stored<RegistryNodeState> | null,
    given: {
      readonly publisher: string;
      readonly nodeId: string;
      readonly token: VerifiedToken;
      readonly body: PublishBody;
    },
  ): Promise<VersionRecord> {
    const { publisher, nodeId, token, body } = given;
    const id = node?.state.nodeId ?? nodeId;
    const text = body.node!.toText(node?.state.text ?? null, id);
    const number = body.node_version!.toNumber();
    const version = node === null ? null : await unit.version(id, number.text);
    if (node === null) await assertNodeRate(unit, publisher, this.settings);
    else if (version === null) await assertVersionRate(unit, id, this.settings);
    await assertFree(unit, id, text.repository);
    const actor = `token:${token.tokenId}`;
    const data = { actor, node_id: id, version: number.text, sha256: body.node_version!.toSha256() };
    const events = acceptedEvents(publish(version?.state ?? null, { ...data, text: body.node_version!.toText() }), {
      version_exists: () => registryRefusal('version_exists', { case: 'version', id: `${id}@${number.text}` }),
    });
    if (node === null) {
      assertNotReserved(id, this.settings.reserved);
      const created = { actor, node_id: id, publisher_id: publisher, text };
      await unit.createNode(createNode(created).events);
    } else {
      await unit.changeNode(node, changeText(node.state, text, actor).events);
    }
    const { streamId, state } = await unit.changeVersion(version, events);
    const ofActive = { signature: null, node_status: 'active', publisher_status: 'active', ban_reason: null } as const;
    return { version_id: streamId, state, node_id: id, publisher_id: publisher, ...ofActive };
  }
}

function nodeIdIn({ node }: GivenFields): unknown {
  return (node as { readonly id?: unknown } | null | undefined)?.id;
}

/** Publishing creates nodes, so a deleted node is not an unknown one: its id stays taken. */
function assertNotDeleted({ nodeId: id, publisherId, status }: RegistryNodeState, publisher: string): void {
  if (publisherId === publisher && status === 'deleted') throw registryRefusal('node_exists', { case: 'deleted', id });
}
