import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HEDDLE_SCHEMA } from '@heddle/platform-database';
import type { SchemaMigration } from '@heddle/platform-database';
import { describe, expect, it } from 'vitest';
import { ALL_SCHEMAS } from '../connect/prepare-cluster.js';

const FILE = 'libs/composition/src/released/released-steps.json';

function hashOf(step: SchemaMigration): string {
  const text = 'up' in step ? step.up : JSON.stringify(step.online);
  return createHash('sha256').update(text).digest('hex');
}

const released = JSON.parse(readFileSync(new URL('released-steps.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
const declared = new Map<string, string>(
  [HEDDLE_SCHEMA, ...ALL_SCHEMAS].flatMap(({ schema, migrations }) =>
    migrations.map((step) => [`${schema}/${step.name}`, hashOf(step)] as const),
  ),
);

describe('the text of a step', () => {
  it.each([...declared])('%s is the one that was released', (step, hash) => {
    const advice =
      released[step] === undefined
        ? `${step} is not frozen yet. When it lands, add this line to ${FILE}: "${step}": "${hash}"`
        : `The SQL of ${step} changed, but it is released: databases that ran it never run it again. Put its text back ` +
          `(write out a constant that changed, in the old value) and make the change in a new step at the end of the list; ` +
          `a function belongs to the schema's functions, whose text may change.`;
    expect(released[step], advice).toBe(hash);
  });

  it('stays for as long as databases may lack it', () => {
    const gone = Object.keys(released).filter((step) => !declared.has(step));
    expect(gone, 'A released step was removed or renamed: a database that has it keeps it. Put it back.').toEqual([]);
  });

  it('has names that sort in the order in which steps run', () => {
    for (const { migrations } of [HEDDLE_SCHEMA, ...ALL_SCHEMAS]) {
      const names = migrations.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)].sort());
    }
  });
});
