import { Controller, Get, Query } from '@nestjs/common';
import { ClassPagePipe } from './class-page.pipe.js';
import type { ClassPage } from './class-page.pipe.js';
import { ListWfNodesHandler } from './list-wf-nodes.handler.js';
import type { WfNodePage } from './list-wf-nodes.handler.js';

@Controller('wf-nodes')
export class ListWfNodesController {
  constructor(private readonly classes: ListWfNodesHandler) {}

  @Get()
  async handle(@Query(ClassPagePipe) asked: ClassPage): Promise<WfNodePage> {
    return await this.classes.handle(asked);
  }
}
