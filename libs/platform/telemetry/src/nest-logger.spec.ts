import { describe, expect, it } from 'vitest';
import { nestLog } from './nest-logger.js';

describe('what is logged through Nest', () => {
  it('becomes a line of ours with its part, and what Nest tells of its start does not', () => {
    const lines: unknown[][] = [];
    const take = (...line: unknown[]): void => void lines.push(line);
    const log = nestLog({ warn: take, error: take, debug: take } as unknown as Parameters<typeof nestLog>[0]);
    const trouble = new Error('away');
    log.log();
    log.error(trouble, 'UploadAssetHandler');
    log.warn('late', 'Sweeper');
    log.error('plain');
    log.debug('ignored', 'UploadAssetHandler');
    expect(lines).toEqual([
      [{ err: trouble, part: 'UploadAssetHandler' }, 'away'],
      [{ part: 'Sweeper' }, 'late'],
      [{}, 'plain'],
      [{ part: 'UploadAssetHandler' }, 'ignored'],
    ]);
  });
});

it('logs a sentence with the facts beside it', () => {
  const lines: unknown[] = [];
  const take = (...line: unknown[]): void => void lines.push(line);
  const log = nestLog({ warn: take, error: take, debug: take } as unknown as Parameters<typeof nestLog>[0]);
  log.warn({ message: 'an upload failed: the database is away', reason: 'ECONNREFUSED' }, 'UploadAssetHandler');
  expect(lines).toEqual([
    [{ reason: 'ECONNREFUSED', part: 'UploadAssetHandler' }, 'an upload failed: the database is away'],
  ]);
});

it('logs what our own code did, with its facts', () => {
  const lines: unknown[] = [];
  const take = (...line: unknown[]): void => void lines.push(line);
  const log = nestLog({ info: take } as unknown as Parameters<typeof nestLog>[0]);
  log.log({ message: 'a key was revoked', keyId: 'k' }, 'RevokeKeyHandler');
  log.log('Nest application successfully started', 'NestApplication');
  expect(lines).toEqual([[{ keyId: 'k', part: 'RevokeKeyHandler' }, 'a key was revoked']]);
});
