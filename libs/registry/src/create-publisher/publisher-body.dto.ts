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
    Object.assign(this, profileFields(fields));
  }

  toProfile(before: PublisherProfile | null): PublisherProfile {
    return profileIn(this, before);
  }
}

/** A new publisher; its profile are fields of the body itself. */
export class PublisherBody {
  @Holds(
    'must be 2 to 64 lower-case letters, digits or "-", the first a letter, and no reserved word',
    (value) => isPublisherId(value) && !RESERVED_PUBLISHERS.has(value),
    true,
  )
  id: unknown;

  @RequiredText(name)
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
    this.id = fields['id'];
    Object.assign(this, profileFields(fields));
  }

  toProfile(): PublisherProfile {
    return profileIn(this, null);
  }
}

function profileFields(fields: GivenFields): GivenFields {
  const { name, description, logo, source_code_repo, support, website } = fields;
  return { name, description, logo, source_code_repo, support, website };
}

/** What is absent stays as it was. */
function profileIn(body: ProfileBody | PublisherBody, before: PublisherProfile | null): PublisherProfile {
  const textOf = (field: keyof PublisherProfile): string =>
    isAbsent(body[field]) ? (before?.[field] ?? '') : (body[field] as string);
  return {
    name: textOf('name'),
    description: textOf('description'),
    logo: textOf('logo'),
    source_code_repo: textOf('source_code_repo'),
    support: textOf('support'),
    website: textOf('website'),
  };
}
