import { Injectable } from '@nestjs/common';
import { RESERVED_PUBLISHERS } from '@heddle/contracts-registry';
import { NodeReads } from '../find-nodes/node-reads.js';

export interface PublisherIdAvailability {
  readonly isAvailable: boolean;
}

/** True if a new publisher can take the id: it is neither taken nor reserved. */
@Injectable()
export class CheckPublisherIdHandler {
  constructor(private readonly nodes: NodeReads) {}

  async handle(id: string): Promise<PublisherIdAvailability> {
    return { isAvailable: !RESERVED_PUBLISHERS.has(id) && (await this.nodes.publisher(id)) === null };
  }
}
