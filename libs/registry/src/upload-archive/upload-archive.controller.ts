import { Controller, Put } from '@nestjs/common';
import type { UploadPermit } from '../sign-versions/upload-url.js';
import { UploadArchiveHandler } from './upload-archive.handler.js';
import type { ArchiveUpload } from './upload-archive.handler.js';
import { RequestTarget, UploadPermitPipe } from './upload-permit.pipe.js';
import { UploadedBody } from './uploaded-body.decorator.js';

@Controller('uploads/:version')
export class UploadArchiveController {
  constructor(private readonly archives: UploadArchiveHandler) {}

  @Put()
  async handle(
    @RequestTarget(UploadPermitPipe) permit: UploadPermit,
    @UploadedBody() archive: ArchiveUpload,
  ): Promise<void> {
    await this.archives.handle(permit, archive);
  }
}
