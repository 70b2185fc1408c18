import { isPublisherId } from '@heddle/registry-domain';
import type { PipeTransform } from '@nestjs/common';
import { refused } from '../refused.js';

/** The query parameter `username`, once and in the form of a publisher's id. */
export class PublisherIdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    if (typeof value === 'string' && isPublisherId(value)) return value;
    throw refused('invalid_parameter', {
      case: 'parameters',
      problems: [`The parameter username ${problemOf(value)}.`],
    });
  }
}

function problemOf(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (typeof value !== 'string') return 'must be given once';
  return 'must be 2 to 64 lower-case letters, digits or "-", the first a letter';
}
