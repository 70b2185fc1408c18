import { Controller, Get, Query } from '@nestjs/common';
import { QueryPipe, whole } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { ListChangesHandler } from './list-changes.handler.js';
import type { ChangePage } from './list-changes.handler.js';

const QUERY = { after: whole(0, Number.MAX_SAFE_INTEGER, 0), limit: whole(1, 1_000, 100) };
const query = new QueryPipe(QUERY);

@Controller('changes')
export class ListChangesController {
  constructor(private readonly changes: ListChangesHandler) {}

  @Get()
  async handle(@Query(query) { after, limit }: QueryOf<typeof QUERY>): Promise<ChangePage> {
    return await this.changes.handle(after, limit);
  }
}
