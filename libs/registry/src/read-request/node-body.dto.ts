import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isNodeId } from '@heddle/registry-domain';
import type { NodeText } from '@heddle/registry-domain';
import { Holds, isAbsent, OptionalObject, OptionalText, OptionalTexts, OptionalUrl } from './body-rules.js';
import type { GivenFields } from './given-fields.js';

const { author, description, license, list, name, tag, tags, text, translations } = REGISTRY_LIMITS;
const TEXTS = [
  'author',
  'category',
  'description',
  'icon',
  'banner_url',
  'license',
  'repository',
  'supported_engine_frontend_version',
  'supported_engine_version',
] as const;
const LISTS = ['supported_accelerators', 'supported_os', 'tags'] as const;
export const NODE_ID_RULE =
  'must be 1 to 100 letters, digits, ".", "_" or "-", the first and the last a letter or digit';

/**
 * What a publisher says of a node; fields that are not the publisher's are ignored. Clients of the public registry name the engine
 * in two fields.
 */
export class NodeBody {
  @Holds(NODE_ID_RULE, isNodeId)
  id: unknown;

  @OptionalText(name)
  name: unknown;

  @OptionalText(author)
  author: unknown;

  @OptionalText(text)
  category: unknown;

  @OptionalText(description)
  description: unknown;

  @OptionalUrl()
  icon: unknown;

  @OptionalUrl()
  banner_url: unknown;

  @OptionalText(license)
  license: unknown;

  @OptionalUrl()
  repository: unknown;

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

  @OptionalObject(8, translations)
  translations: unknown;

  constructor(fields: GivenFields) {
    this.id = fields['id'];
    this.name = fields['name'];
    this.author = fields['author'];
    this.category = fields['category'];
    this.description = fields['description'];
    this.icon = fields['icon'];
    this.banner_url = fields['banner_url'];
    this.license = fields['license'];
    this.repository = fields['repository'];
    this.supported_accelerators = fields['supported_accelerators'];
    this.supported_engine_frontend_version =
      fields['supported_engine_frontend_version'] ?? fields['supported_comfyui_frontend_version'];
    this.supported_engine_version = fields['supported_engine_version'] ?? fields['supported_comfyui_version'];
    this.supported_os = fields['supported_os'];
    this.tags = fields['tags'];
    this.translations = fields['translations'];
  }

  /** The text of the node after it: what is absent stays as it was. `id`: that of the node, its name by default. */
  toText(before: NodeText | null, id: string): NodeText {
    const texts = Object.fromEntries(
      TEXTS.map((field) => [field, isAbsent(this[field]) ? (before?.[field] ?? '') : this[field]]),
    );
    const lists = Object.fromEntries(
      LISTS.map((field) => [field, isAbsent(this[field]) ? (before?.[field] ?? []) : this[field]]),
    );
    return {
      ...texts,
      ...lists,
      name: isAbsent(this.name) ? (before?.name ?? id) : this.name,
      translations: isAbsent(this.translations) ? (before?.translations ?? '{}') : JSON.stringify(this.translations),
    } as NodeText;
  }
}

/** For a node that is made without a version: nothing else names it. */
export function missingId({ id }: NodeBody): Readonly<Record<string, string>> {
  return isAbsent(id) ? { id: NODE_ID_RULE } : {};
}
