import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, Principal } from '@heddle/contracts-messages';
import type { BytesAnswer } from '@heddle/platform-http';
import { contentHead } from './content-head.js';
import { resumedContent } from './resumed-content.js';
import type { OpenRange } from './resumed-content.js';

/** The part of a request that decides which bytes it gets. */
export interface ContentRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** GET and HEAD /assets/{id}/content: the requested range of the bytes, opened. */
@Injectable()
export class GetAssetContentHandler {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  async handle(principal: Principal, id: AssetId, { method, headers }: ContentRequest): Promise<BytesAnswer> {
    const asset = await this.assets.content(principal, id);
    if (!asset.ok) return asset;
    const content = contentHead(headers, asset.value);
    if (!content.ok) return content;
    const { part, ...head } = content;
    if (method === 'HEAD' || part.end < part.start) return { ...head, body: null };
    const open: OpenRange = (range) => this.assets.bytes(principal, id, range);
    const first = await open(part);
    if (!first.ok) return first;
    const close = (): void => void first.value.destroy();
    return { ...head, body: { bytes: resumedContent(open, part, first.value), close } };
  }
}
