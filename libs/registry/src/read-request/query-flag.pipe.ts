import type { PipeTransform } from '@nestjs/common';
import { refused } from '../refused.js';

/** A query parameter that is `true` or `false`; absent: false. */
export class QueryFlagPipe implements PipeTransform<unknown, boolean> {
  constructor(private readonly name: string) {}

  transform(value: unknown): boolean {
    if (value === undefined || value === 'false') return false;
    if (value === 'true') return true;
    throw refused('invalid_parameter', {
      case: 'parameters',
      problems: [`The parameter ${this.name} must be true or false.`],
    });
  }
}
