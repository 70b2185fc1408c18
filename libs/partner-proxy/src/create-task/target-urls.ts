import { AllowedTargets, TARGET_FAULT_TEXTS, targetFault } from '@heddle/platform-outbound';
import type { TargetFault, TargetRules } from '@heddle/platform-outbound';
import type { PartnerProxySettings } from '../settings.js';

type Scheme = TargetRules['schemes'][number];

/** Rules from which the operator may exempt a host with its port. */
const EXEMPTED: readonly TargetFault[] = ['own_host', 'port', 'local_name', 'private_address', 'resolved_address'];

/** The static rules of URLs that clients write (registry decisions, URLs). */
export class TargetUrls {
  readonly #allowed: AllowedTargets;
  readonly #ownHosts: readonly string[];

  constructor({ callbackAllow, ownHosts }: PartnerProxySettings) {
    this.#allowed = AllowedTargets.parse(callbackAllow) ?? AllowedTargets.NONE;
    this.#ownHosts = ownHosts;
  }

  /** What is wrong with the URL of a callback; null: nothing. */
  readonly callback = (url: string): string | null => {
    const fault = this.#fault(url, ['https:']);
    return fault === null ? null : callbackProblem(url, fault);
  };
  /** Of an image, which the video vendor fetches. */
  readonly image = (url: string): string | null => this.#problem(url, ['https:', 'http:']);
  /** The image vendor fetches by https alone. */
  readonly secureImage = (url: string): string | null => this.#problem(url, ['https:']);

  get callbackRules(): TargetRules {
    return { schemes: ['https:'], allowed: this.#allowed, ownHosts: this.#ownHosts };
  }

  #problem(url: string, schemes: readonly Scheme[]): string | null {
    const fault = this.#fault(url, schemes);
    return fault === null ? null : TARGET_FAULT_TEXTS[fault];
  }

  #fault(url: string, schemes: readonly Scheme[]): TargetFault | null {
    return targetFault(url, { schemes, allowed: this.#allowed, ownHosts: this.#ownHosts });
  }
}

/** What is wrong with the URL of a callback, with the setting that permits it. */
export function callbackProblem(url: string, fault: TargetFault): string {
  const canBeExempt = EXEMPTED.includes(fault) || (fault === 'scheme' && /^http:/i.test(url));
  const unless = canBeExempt ? ', unless the operator lists its host:port in HEDDLE_CALLBACK_ALLOW' : '';
  return TARGET_FAULT_TEXTS[fault] + unless;
}
