import { Injectable } from '@nestjs/common';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { ObjectRemover } from '../collect-blobs/object-remover.js';
import { AssetExpirer } from '../expire-assets/asset-expirer.js';
import { UploadSweeper } from '../sweep-uploads/upload-sweeper.js';

@Injectable()
export class MaintenanceRound {
  constructor(
    private readonly expirer: AssetExpirer,
    private readonly uploads: UploadSweeper,
    private readonly blobs: BlobCollector,
    private readonly objects: ObjectRemover,
  ) {}

  async run(trustedUntilMs = Infinity): Promise<void> {
    try {
      await this.expirer.run(trustedUntilMs);
    } finally {
      // These call no other service, and continue while one is unreachable.
      await this.uploads.run(null, trustedUntilMs);
      await this.blobs.run(trustedUntilMs);
    }
  }

  /** No other process works: uploads older than this service belong to one that is gone. */
  async afterCrash(ageMs: number): Promise<void> {
    await this.uploads.run(ageMs);
    await this.objects.afterCrash();
    await this.blobs.run();
  }
}
