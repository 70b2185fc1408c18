import { isUuid, notFound } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import type { PipeTransform } from '@nestjs/common';

/** Reads an id: text that is not a UUID can only be an unknown id. */
export class IdPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!isUuid(text)) throw new RejectionError(notFound().rejection);
    return text;
  }
}
