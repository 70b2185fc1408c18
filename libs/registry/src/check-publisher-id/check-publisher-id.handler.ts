import { Injectable } from '@nestjs/common';
import { RESERVED_PUBLISHERS } from '@heddle/contracts-registry';
import { NodeReads } from '../find-nodes/node-reads.js';

export interface PublisherIdAvailability {
  readonly isAvailable: boolean;
}

/** Whether a new publisher may have an id: no publisher has it, and it is no reserved word. */
@Injectable()
export class CheckPublisherIdHandler {
  constructor(private readonly nodes: NodeReads) {}

  async handle(id: string): Promise<PublisherIdAvailability> {
    return { isAvailable: !RESERVED_PUBLISHERS.has(id) && (await this.nodes.publisher(id)) === null };
  }
}
