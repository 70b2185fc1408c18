import { Inject, Injectable } from '@nestjs/common';
import { ASSETS_PORT, refuse, rejected } from '@heddle/contracts-messages';
import type { AssetsPort } from '@heddle/contracts-messages';
import { TargetSigner } from '@heddle/platform-blob-store/target-signer';
import type { BytesAnswer } from '@heddle/platform-http';
import { contentAnswer } from '../get-asset-content/content-answer.js';
import type { ContentRequest } from '../get-asset-content/content-answer.js';

/** GET and HEAD of a signed URL that Heddle serves itself (accounts, Signed URL). */
@Injectable()
export class ReadSignedContentHandler {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    @Inject(TargetSigner) private readonly signer: TargetSigner | null,
  ) {}

  /** Nothing is looked up for a target that was not signed here: strangers may call this. */
  async handle(target: string, request: ContentRequest): Promise<BytesAnswer> {
    const signed = this.signer?.verify(target, new Date()) ?? null;
    if (signed === null) return rejected(refuse('forbidden', { case: 'signed_url' }));
    const { key, fileName: filePath } = signed;
    const stored = await this.assets.stored(key);
    if (!stored.ok) return stored;
    return await contentAnswer(request, { ...stored.value, filePath }, (range) => this.assets.storedBytes(key, range));
  }
}
