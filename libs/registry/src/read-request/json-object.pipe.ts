import { objectIn } from '@heddle/platform-http';
import type { PipeTransform } from '@nestjs/common';
import type { GivenFields } from './given-fields.js';

/**
 * For the routes whose contract checks the caller, and what the path names, before the fields: there the handler calls
 * `checkedBody` once the other checks hold, while JsonBodyPipe checks the fields first.
 */
export class JsonObjectPipe implements PipeTransform<unknown, GivenFields> {
  transform(body: unknown): GivenFields {
    return objectIn(body);
  }
}
