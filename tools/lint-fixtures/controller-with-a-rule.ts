// linted as: libs/gateway/src/fixture.controller.ts
// expects: heddle/thin-controller
import { Controller, Get } from '@nestjs/common';

@Controller('jobs')
export class JobsController {
  @Get()
  list(): string {
    const limit = 100;
    return String(limit);
  }
}
