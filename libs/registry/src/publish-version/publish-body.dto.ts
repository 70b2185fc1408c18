import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isJsonObject } from '@heddle/platform-http';
import { parseVersion, VERSION_RULE } from '@heddle/registry-domain';
import type { VersionNumber, VersionText } from '@heddle/registry-domain';
import { ValidateNested } from 'class-validator';
import { Holds, isAbsent, OptionalText, OptionalTexts, RequiredObject } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { NodeBody } from '../read-request/node-body.dto.js';

const { changelog, dependencies, dependency, list, tag, tags, text } = REGISTRY_LIMITS;
const SHA256 = /^[0-9a-f]{64}$/i;

/** What a publisher says of a version. Clients of the public registry name the engine in two fields. */
class VersionBody {
  @Holds(VERSION_RULE, (value) => parseVersion(value) !== null, true)
  version: unknown;

  @OptionalText(changelog)
  changelog: unknown;

  @OptionalTexts(dependencies, dependency)
  dependencies: unknown;

  @OptionalTexts(list, text)
  supported_accelerators: unknown;

  @OptionalText(text)
  supported_engine_frontend_version: unknown;

  @OptionalText(text)
  supported_engine_version: unknown;

  @OptionalTexts(list, text)
  supported_os: unknown;

  @OptionalTexts(tags, tag)
  tags: unknown;

  @Holds('must be 64 hex digits', (value) => SHA256.test(value))
  sha256: unknown;

  constructor(fields: GivenFields) {
    this.version = fields['version'];
    this.changelog = fields['changelog'];
    this.dependencies = fields['dependencies'];
    this.supported_accelerators = fields['supported_accelerators'];
    this.supported_engine_frontend_version =
      fields['supported_engine_frontend_version'] ?? fields['supported_comfyui_frontend_version'];
    this.supported_engine_version = fields['supported_engine_version'] ?? fields['supported_comfyui_version'];
    this.supported_os = fields['supported_os'];
    this.tags = fields['tags'];
    this.sha256 = fields['sha256'];
  }

  toNumber(): VersionNumber {
    return parseVersion(this.version as string)!;
  }

  toSha256(): string {
    return isAbsent(this.sha256) ? '' : (this.sha256 as string).toLowerCase();
  }

  toText(): VersionText {
    const textOf = (value: unknown): string => (isAbsent(value) ? '' : (value as string));
    const listOf = (value: unknown): readonly string[] => (isAbsent(value) ? [] : (value as string[]));
    return {
      changelog: textOf(this.changelog),
      dependencies: listOf(this.dependencies),
      supported_accelerators: listOf(this.supported_accelerators),
      supported_engine_frontend_version: textOf(this.supported_engine_frontend_version),
      supported_engine_version: textOf(this.supported_engine_version),
      supported_os: listOf(this.supported_os),
      tags: listOf(this.tags),
    };
  }
}

/** The body of a publish, without its token. */
export class PublishBody {
  @RequiredObject()
  @ValidateNested()
  readonly node: NodeBody | null;

  @RequiredObject()
  @ValidateNested()
  readonly node_version: VersionBody | null;

  constructor(fields: GivenFields) {
    this.node = isJsonObject(fields['node']) ? new NodeBody(fields['node']) : null;
    this.node_version = isJsonObject(fields['node_version']) ? new VersionBody(fields['node_version']) : null;
  }
}
