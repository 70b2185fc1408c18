import type { PipeTransform } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import type { BulkItemWire } from '@heddle/contracts-registry';
import { objectIn, RejectionError } from '@heddle/platform-http';

export type BulkItem = BulkItemWire['identifier'];

const MUST_BE_TEXT = 'must be a string';

/** The items of a bulk question as they were asked; a refusal names each bad field. */
export class BulkItemsPipe implements PipeTransform<unknown, readonly BulkItem[]> {
  transform(body: unknown): readonly BulkItem[] {
    const items = objectIn(body)['node_versions'];
    const max = REGISTRY_LIMITS.bulkItems;
    if (!Array.isArray(items) || items.length > max) {
      throw new RejectionError(invalidFields({ node_versions: `must be a list of at most ${max} items` }));
    }
    const problems: Record<string, string> = {};
    const read = items.map((item: unknown, at) => itemIn(item, `node_versions[${at}]`, problems));
    if (Object.keys(problems).length > 0) throw new RejectionError(invalidFields(problems));
    return read;
  }
}

function itemIn(item: unknown, path: string, problems: Record<string, string>): BulkItem {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    problems[path] = 'must be an object';
    return { node_id: '', version: '' };
  }
  const { node_id, version } = item as Readonly<Record<string, unknown>>;
  if (typeof node_id !== 'string') problems[`${path}.node_id`] = MUST_BE_TEXT;
  if (typeof version !== 'string') problems[`${path}.version`] = MUST_BE_TEXT;
  return { node_id: node_id as string, version: version as string };
}
