import { AllowedTargets, TARGET_FAULT_TEXTS, targetFault } from '@heddle/platform-outbound';
import type { TargetRules } from '@heddle/platform-outbound';
import type { PartnerProxySettings } from '../settings.js';

type Scheme = TargetRules['schemes'][number];

/** The static rules of URLs that clients write (registry decisions, URLs). */
export class TargetUrls {
  readonly #allowed: AllowedTargets;
  readonly #ownHosts: readonly string[];

  constructor({ callbackAllow, ownHosts }: PartnerProxySettings) {
    this.#allowed = AllowedTargets.parse(callbackAllow) ?? AllowedTargets.NONE;
    this.#ownHosts = ownHosts;
  }

  /** What is wrong with the URL of a callback; null: nothing. */
  readonly callback = (url: string): string | null => this.#problem(url, ['https:']);
  /** Of an image, which the video vendor fetches. */
  readonly image = (url: string): string | null => this.#problem(url, ['https:', 'http:']);
  /** The image vendor fetches by https alone. */
  readonly secureImage = (url: string): string | null => this.#problem(url, ['https:']);

  get callbackRules(): TargetRules {
    return { schemes: ['https:'], allowed: this.#allowed, ownHosts: this.#ownHosts };
  }

  #problem(url: string, schemes: readonly Scheme[]): string | null {
    const fault = targetFault(url, { schemes, allowed: this.#allowed, ownHosts: this.#ownHosts });
    return fault === null ? null : TARGET_FAULT_TEXTS[fault];
  }
}
