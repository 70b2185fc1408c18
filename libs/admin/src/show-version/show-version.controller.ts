import { Controller, Get } from '@nestjs/common';
import { heddleVersion } from '@heddle/platform-telemetry/version';

/** Answers a command that looks for the admin API. */
@Controller('admin/v1')
export class ShowVersionController {
  @Get()
  show(): { readonly version: string } {
    return { version: heddleVersion() };
  }
}
