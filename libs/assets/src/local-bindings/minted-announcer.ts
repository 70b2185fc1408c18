import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import type { Answer, AssetView, MintedAsset, Principal } from '@heddle/contracts-messages';
import { ReadContentHandler } from '../read-content/read-content.handler.js';
import { AssetUrls } from '../sign-url/asset-urls.js';

/** `open` streams the asset's bytes from the beginning. It must not throw. */
export type MintedListener = (asset: AssetView, open: () => Promise<Readable>) => Promise<void>;

export const MINTED_LISTENER = Symbol('MintedListener');

/** Passes each new asset to the listener before its answer is sent, and signs the URL of the answer. */
@Injectable()
export class MintedAnnouncer {
  constructor(
    @Inject(MINTED_LISTENER) private readonly onMinted: MintedListener | null,
    private readonly content: ReadContentHandler,
    private readonly urls: AssetUrls,
  ) {}

  async announced(principal: Principal, answer: Answer<MintedAsset>): Promise<Answer<MintedAsset>> {
    if (!answer.ok) return answer;
    const { asset, created } = answer.value;
    await this.onMinted?.(asset, () => this.#open(principal, asset));
    return accepted({ asset: await this.urls.withUrl(principal, asset), created });
  }

  async #open(principal: Principal, { id }: AssetView): Promise<Readable> {
    const found = await this.content.bytes(principal, id);
    if (!found.ok) throw new Error(`asset ${id} was deleted while it was read`);
    return found.value;
  }
}
