import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

interface SchemaLine {
  readonly type: string;
  readonly schema_version: number;
  readonly schema: object;
}

const schemaOf = async (...words: string[]) => heddleInProcess(['history', 'schema', ...words], {});

describe('heddle history schema', () => {
  it('prints a schema that takes the stored sample and refuses another shape, for every type and version', async () => {
    const { code, out } = await schemaOf('--json');
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SchemaLine);
    expect(lines.length).toBeGreaterThanOrEqual(13);
    for (const { type, schema_version: version, schema } of lines) {
      const file = new URL(`../../../../libs/jobs/domain/samples/${type}.v${version}.json`, import.meta.url);
      const sample = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      const isValid = new Ajv2020({ allowUnionTypes: true }).compile(schema);
      expect(isValid(sample), type).toBe(true);
      const [field] = Object.keys(sample);
      if (field !== undefined) expect(isValid({ ...sample, [field]: [] }), type).toBe(false);
    }
  });

  it('prints the newest version of a type for a person, or the one that was asked for', async () => {
    expect(JSON.parse((await schemaOf('JobSubmitted')).out)).toMatchObject({ title: 'JobSubmitted 2' });
    expect(JSON.parse((await schemaOf('JobSubmitted', '--version', '1')).out)).toMatchObject({
      title: 'JobSubmitted 1',
    });
    expect((await schemaOf()).out).toContain('NodeFinished 1\n');
  });

  it.each([
    [['JobPaused'], 1, 'unknown event type "JobPaused"'],
    [['JobPurged', '--version', '7'], 1, 'JobPurged has no schema version 7; the newest is 1'],
    [['JobPurged', '--version', '0'], 2, '--version must be a whole number from 1'],
    [['JobPurged', 'JobFailed'], 2, 'takes one event type'],
  ])('%s ends with %d', async (words, code, message) => {
    expect(await schemaOf(...words)).toMatchObject({ code, err: expect.stringContaining(message) as string });
  });
});
