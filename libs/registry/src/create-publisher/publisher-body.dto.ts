import { REGISTRY_LIMITS, RESERVED_PUBLISHERS } from '@heddle/contracts-registry';
import type { PublisherProfile } from '@heddle/contracts-registry';
import { isPublisherId } from '@heddle/registry-domain';
import { Holds, isAbsent, OptionalText, OptionalUrl, RequiredText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

const { description, name, text } = REGISTRY_LIMITS;

/** What an owner says of a publisher. */
export class ProfileBody {
  @OptionalText(name)
  name: unknown;

  @OptionalText(description)
  description: unknown;

  @OptionalUrl()
  logo: unknown;

  @OptionalUrl()
  source_code_repo: unknown;

  @OptionalText(text)
  support: unknown;

  @OptionalUrl()
  website: unknown;

  constructor(fields: GivenFields) {
    this.name = fields['name'];
    this.description = fields['description'];
    this.logo = fields['logo'];
    this.source_code_repo = fields['source_code_repo'];
    this.support = fields['support'];
    this.website = fields['website'];
  }

  /** What is absent stays as it was. */
  toProfile(before: PublisherProfile | null): PublisherProfile {
    const textOf = (field: keyof PublisherProfile): string =>
      isAbsent(this[field]) ? (before?.[field] ?? '') : (this[field] as string);
    return {
      name: textOf('name'),
      description: textOf('description'),
      logo: textOf('logo'),
      source_code_repo: textOf('source_code_repo'),
      support: textOf('support'),
      website: textOf('website'),
    };
  }
}

export class PublisherBody extends ProfileBody {
  @Holds(
    'must be 2 to 64 lower-case letters, digits or "-", the first a letter, and no reserved word',
    (value) => isPublisherId(value) && !RESERVED_PUBLISHERS.has(value),
    true,
  )
  id: unknown;

  @RequiredText(name)
  override name: unknown;

  constructor(fields: GivenFields) {
    super(fields);
    this.id = fields['id'];
    this.name = fields['name'];
  }
}
