import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { FIND_NEAR_NAMES } from './find-near-names.sql.js';
import type { NearNameRow } from './find-near-names.sql.js';

/** Paths that a misspelt name may have meant. Only for the words of a refusal: nothing is decided by it. */
@Injectable()
export class FindNearNamesHandler {
  constructor(private readonly database: AssetsDatabase) {}

  async handle({ accountId }: Principal, name: string): Promise<readonly string[]> {
    // No stored path holds a NUL or half of a surrogate pair, and the database takes neither.
    if (name.includes('\0') || !name.isWellFormed()) return [];
    const rows = await this.database.query<NearNameRow>(FIND_NEAR_NAMES, [accountId, name]);
    return rows.map(({ file_path }) => file_path);
  }
}
