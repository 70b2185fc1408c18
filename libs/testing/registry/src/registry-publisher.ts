import { randomUUID } from 'node:crypto';
import type { IssuedTokenWire, NodeVersionWire } from '@heddle/contracts-registry';
import { eventually, expectStatus, jsonOf } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { nodePackage } from './node-package.js';
import type { RegistryClient, VersionAnswer } from './registry-client.js';

interface Metadata {
  readonly node?: object;
  readonly node_version?: object;
}

/** A new publisher of the account of a client, with a token for everything. */
export class RegistryPublisher {
  private constructor(
    readonly id: string,
    /** With the credential of the account. */
    readonly owner: RegistryClient,
    /** Without a credential. */
    readonly anyone: RegistryClient,
    readonly token: string,
  ) {}

  static async create(owner: RegistryClient): Promise<RegistryPublisher> {
    const id = newId('p');
    expectStatus(await owner.send('POST', '/publishers', { id, name: 'Test publisher' }), 201);
    const { token } = await newToken(owner, id, { actions: ['publish', 'deprecate', 'delete'] });
    return new RegistryPublisher(id, owner, owner.as(null), token);
  }

  /** One more token. */
  async newToken(more: object = {}): Promise<IssuedTokenWire> {
    return await newToken(this.owner, this.id, more);
  }

  /** Path of a node or of what is below it. */
  path(node: string, rest = ''): string {
    return `/publishers/${this.id}/nodes/${node}${rest}`;
  }

  publish(node: string, version: string, { node: ofNode, node_version: ofVersion }: Metadata = {}): Promise<Answer> {
    const body = { node: { ...ofNode }, node_version: { version, ...ofVersion }, personal_access_token: this.token };
    return this.anyone.send('POST', this.path(node, '/versions'), body);
  }

  /** A publish that must succeed. */
  async published(node: string, version: string, more: Metadata = {}): Promise<VersionAnswer> {
    return jsonOf<VersionAnswer>(expectStatus(await this.publish(node, version, more), 201));
  }

  upload(signedUrl: string, bytes: Buffer): Promise<Answer> {
    return this.anyone.follow('PUT', signedUrl, { headers: { 'content-type': 'application/zip' }, body: bytes });
  }

  /** A version with its bytes, once it has been scanned and its classes are known. */
  async released(node: string, version: string, bytes?: Buffer, more: Metadata = {}): Promise<NodeVersionWire> {
    const { signedUrl } = await this.published(node, version, more);
    expectStatus(await this.upload(signedUrl, bytes ?? (await nodePackage())), 200);
    return await this.inspected(node, version);
  }

  async inspected(node: string, version: string): Promise<NodeVersionWire> {
    return await eventually(`the inspection of ${node}@${version}`, async () => {
      const found = await this.anyone.as(this.token).json<NodeVersionWire>(`/nodes/${node}/versions/${version}`);
      return found.status !== 'NodeVersionStatusPending' && found.wf_node_extract_status !== 'pending' && found;
    });
  }
}

/** An id that no publisher or node has, nor one that looks like it. */
export function newId(prefix: string): string {
  return `${prefix}-${randomUUID().replaceAll('-', '')}`;
}

async function newToken(owner: RegistryClient, publisher: string, more: object): Promise<IssuedTokenWire> {
  const answer = await owner.send('POST', `/publishers/${publisher}/tokens`, { name: 'test', ...more });
  return jsonOf<IssuedTokenWire>(expectStatus(answer, 201));
}
