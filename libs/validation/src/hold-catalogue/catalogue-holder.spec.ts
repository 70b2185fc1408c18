import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '@heddle/workflow-graph';
import { describe, expect, it } from 'vitest';
import { CatalogueHolder } from './catalogue-holder.js';

const maker: JsonObject = { input: { required: { width: ['INT', {}] } }, output: ['IMAGE'] };
const recorded = (version: string): Buffer =>
  gunzipSync(readFileSync(new URL(`../../../workflow/graph/recorded/object_info-${version}.json.gz`, import.meta.url)));

describe('the catalogue of an engine that changes', () => {
  it('is replaced as a whole, and tells which classes came and went', () => {
    const holder = new CatalogueHolder();
    expect([holder.current, holder.version]).toEqual([null, 0]);
    expect(holder.replace({ A: maker, B: maker })).toMatchObject({ added: ['A', 'B'], removed: [] });
    const first = holder.current!;
    expect(holder.replace({ B: maker, C: maker })).toMatchObject({ added: ['C'], removed: ['A'] });
    expect([...first.classes.keys()]).toEqual(['A', 'B']);
    expect([...holder.current!.classes.keys()]).toEqual(['B', 'C']);
    expect(holder.version).toBe(2);
  });

  it('stays where the new description makes no sense', () => {
    const holder = new CatalogueHolder();
    holder.replace({ A: maker });
    const texts = ['', '<html>', 'null', '[]', '{}', '{"error":"starting"}', '{"error":{"type":"x"}}', '{"A":{}'];
    for (const text of texts) expect(() => holder.replace(Buffer.from(text)), text).toThrow(SyntaxError);
    expect([...holder.current!.classes.keys()]).toEqual(['A']);
    expect(holder.version).toBe(1);
  });

  it('frees the one before', async () => {
    const holder = new CatalogueHolder();
    holder.replace(recorded('0.3.64'));
    const before = new WeakRef(holder.current!);
    holder.replace(recorded('0.33.0'));
    expect(await collected(before)).toBe(true);
  });
});

/** True if the object was garbage-collected. */
async function collected(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 10 && held.deref() !== undefined; round++) {
    // A WeakRef keeps its object alive until the end of the turn that read it.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return held.deref() === undefined;
}
