import { objectIn } from '@heddle/platform-http';
import type { PipeTransform } from '@nestjs/common';
import type { GivenFields } from './node-body.dto.js';

/** The fields of a JSON object, as they were sent. */
export class JsonObjectPipe implements PipeTransform<unknown, GivenFields> {
  transform(body: unknown): GivenFields {
    return objectIn(body);
  }
}
