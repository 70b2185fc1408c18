import { Injectable } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';
import type { TaskFields } from '@heddle/partner-proxy-domain';
import { refused } from '../refused.js';

/** The fields of a JSON body, whatever its content type says. */
@Injectable()
export class JsonFieldsPipe implements PipeTransform<unknown, TaskFields> {
  transform(body: unknown): TaskFields {
    const value = Buffer.isBuffer(body) ? parsed(body.toString('utf8')) : null;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as TaskFields;
    throw refused('invalid_request', { case: 'no_json' });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
