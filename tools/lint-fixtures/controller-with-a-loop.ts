// linted as: libs/gateway/src/fixture.controller.ts
// expects: heddle/thin-controller
import { Controller, Get } from '@nestjs/common';

@Controller('jobs')
export class JobsController {
  readonly seen: string[] = [];

  @Get()
  list(ids: readonly string[]): void {
    for (const id of ids) this.seen.push(id);
  }
}
