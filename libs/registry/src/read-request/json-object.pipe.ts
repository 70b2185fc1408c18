import { objectIn } from '@heddle/platform-http';
import type { PipeTransform } from '@nestjs/common';
import type { Fields } from './node-body.dto.js';

/** The fields of a JSON object, as they were sent. */
export class JsonObjectPipe implements PipeTransform<unknown, Fields> {
  transform(body: unknown): Fields {
    return objectIn(body);
  }
}
