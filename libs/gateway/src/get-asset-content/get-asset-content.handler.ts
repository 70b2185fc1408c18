import { Inject, Injectable } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, Principal } from '@heddle/contracts-messages';
import type { BytesAnswer } from '@heddle/platform-http';
import { signedLink } from '../render-wire/links.js';
import { contentAnswer } from './content-answer.js';
import type { ContentRequest } from './content-answer.js';

/** GET and HEAD /assets/{id}/content: the requested range of the bytes, opened, or a redirect to a signed URL. */
@Injectable()
export class GetAssetContentHandler {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  /** `signedBase`: origin of signed URLs that Heddle serves itself. */
  async handle(principal: Principal, id: AssetId, request: ContentRequest, signedBase: string): Promise<BytesAnswer> {
    const asset = await this.assets.content(principal, id);
    if (!asset.ok) return asset;
    const { signedUrl } = asset.value;
    if (signedUrl !== null) return redirect(signedLink(signedBase, signedUrl));
    return await contentAnswer(request, asset.value, (range) => this.assets.bytes(principal, id, range));
  }
}

function redirect(location: string): BytesAnswer {
  return {
    ok: true,
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'content-length': '0' },
    body: null,
  };
}
