import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedEventProblems, releasedProblems } from './published-events.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['libs/jobs/domain/schemas', 'libs/jobs/domain/samples', 'libs/jobs/domain/released-events.json'];

describe('the published events', () => {
  let copy: string;
  const file = (path: string): string => join(copy, 'libs/jobs/domain', path);

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'heddle-events-'));
    for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  it('are what the codec gives and what was released', async () => {
    expect(await publishedEventProblems(ROOT)).toEqual([]);
    expect(releasedProblems(copy)).toEqual([]);
  });

  it.each(['schemas/JobLeased.v1.json', 'samples/JobLeased.v1.json'])('refuse an edit of %s', (path) => {
    const edited = JSON.parse(readFileSync(file(path), 'utf8')) as object;
    writeFileSync(file(path), JSON.stringify({ ...edited, priority: 1 }));
    expect(releasedProblems(copy)).toEqual([
      `${path} is released and was edited: put it back, and add a new schema version instead`,
    ]);
  });

  it('refuse that a version goes, and ask for a line where one comes', () => {
    rmSync(file('samples/JobPurged.v1.json'));
    writeFileSync(file('schemas/JobPaused.v1.json'), '{}');
    expect(releasedProblems(copy)).toEqual([
      expect.stringContaining('samples/JobPurged.v1.json is released and was removed') as string,
      expect.stringContaining('schemas/JobPaused.v1.json is not frozen yet') as string,
    ]);
  });
});
