import { Injectable } from '@nestjs/common';
import type { WfNodeWire } from '@heddle/contracts-registry';
import type { ClassPage } from './class-page.pipe.js';
import { ClassReads } from './class-reads.js';
import { ListedClasses } from './listed-classes.js';

export interface WfNodePage {
  readonly wf_nodes: readonly WfNodeWire[];
  /** Of all pages. */
  readonly total: number;
}

/** Node classes by their node's id, then by name: of the latest versions, or of a number. */
@Injectable()
export class ListWfNodesHandler {
  constructor(
    private readonly classes: ClassReads,
    private readonly listed: ListedClasses,
  ) {}

  async handle({ filter, page, size }: ClassPage): Promise<WfNodePage> {
    const { nodeId, version, name } = filter;
    const offset = (page - 1) * size;
    if (name !== null) {
      const named = await this.classes.named(filter);
      return { wf_nodes: await this.classes.parts(named.slice(offset, offset + size)), total: named.length };
    }
    const isAll = nodeId === null && version === null;
    const list = isAll ? await this.listed.list() : await this.classes.sources(filter);
    return { wf_nodes: await this.classes.parts(list.parts(offset, size)), total: list.total };
  }
}
