import { Injectable } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { NodeReads } from '../find-nodes/node-reads.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';

/** One publisher. A banned one is shown too: its status says so (registry decisions, Direct reads). */
@Injectable()
export class ShowPublisherHandler {
  constructor(private readonly nodes: NodeReads) {}

  async handle(id: string): Promise<PublisherWire> {
    const found = await this.nodes.publisher(id);
    if (found === null) throw registryRefusal('not_found', { case: 'publisher', id });
    return renderPublisher(found);
  }
}
