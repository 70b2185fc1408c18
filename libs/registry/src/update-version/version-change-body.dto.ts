import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isAbsent, OptionalFlag, OptionalText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

const { changelog, text } = REGISTRY_LIMITS;

/** What a publisher changes of a version; what is absent stays as it was. */
export class VersionChangeBody {
  @OptionalText(changelog)
  changelog: unknown;

  @OptionalFlag()
  deprecated: unknown;

  @OptionalText(text)
  deprecated_reason: unknown;

  constructor(fields: GivenFields) {
    this.changelog = fields['changelog'];
    this.deprecated = fields['deprecated'];
    this.deprecated_reason = fields['deprecated_reason'];
  }

  toChange(): { readonly changelog?: string; readonly deprecated?: boolean; readonly reason?: string } {
    return {
      ...(isAbsent(this.changelog) ? {} : { changelog: this.changelog as string }),
      ...(isAbsent(this.deprecated) ? {} : { deprecated: this.deprecated as boolean }),
      ...(isAbsent(this.deprecated_reason) ? {} : { reason: this.deprecated_reason as string }),
    };
  }
}
