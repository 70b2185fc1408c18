import type { NodePackage, PackageClasses } from '@heddle/contracts-messages';
import { compileCatalogue } from '@heddle/workflow-graph';
import { describe, expect, it } from 'vitest';
import { PackagedCatalogues } from './packaged-catalogues.js';

const engine = (): ReturnType<typeof compileCatalogue> => compileCatalogue({ Own: { output: ['IMAGE'], input: {} } });
const PACK = [{ id: 'pack', version: '1.0.0' }];
const classesOf = (isWhole: boolean, ...names: string[]): PackageClasses => ({
  classes: names.map((name) => ({ name, inputTypes: '{}', returnTypes: '[]', outputNode: true, unknown: [] })),
  isWhole,
});

/** A registry that gives these answers, each once. An error: it is away. */
function answering(...answers: (PackageClasses | Error | null | Promise<never>)[]) {
  const asked: string[] = [];
  const log: string[] = [];
  const clock = { now: 0 };
  const registry = {
    classesOf: async ({ nodeId, version }: NodePackage) => {
      asked.push(`${nodeId}@${version}`);
      const answer = await answers.shift();
      if (answer === undefined) throw new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const catalogues = new PackagedCatalogues(
    registry,
    (line) => void log.push(line),
    () => clock.now,
  );
  return { catalogues, asked, log, clock };
}
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

describe('the classes of pinned packages', () => {
  it('are asked for once, whoever needs them at once, and again for no other engine', async () => {
    const { catalogues, asked, log } = answering(classesOf(true, 'Blur', 'Own'));
    const own = engine();
    const all = await Promise.all(Array.from({ length: 20 }, () => catalogues.of(own, PACK)));
    expect(new Set(all).size).toBe(1);
    expect([...all[0]!.classes.keys()]).toEqual(['Own', 'Blur']);
    expect(all[0]!.classes.get('Own')).toBe(own.classes.get('Own'));
    expect(await catalogues.of(own, PACK)).toBe(all[0]);
    expect((await catalogues.of(engine(), PACK)).classes.has('Blur')).toBe(true);
    expect([asked, log]).toEqual([['pack@1.0.0'], []]);
  });

  it('come from every package of the list, the first one wins', async () => {
    const { catalogues } = answering(classesOf(true, 'Blur'), classesOf(true, 'Blur', 'Tint'));
    const { classes, hasOthers } = await catalogues.of(engine(), [...PACK, { id: 'other', version: '2.0.0' }]);
    expect([[...classes.keys()], hasOthers]).toEqual([['Own', 'Blur', 'Tint'], false]);
  });

  it('that the registry could not read all are not all: unknown ones are not checked, until it has', async () => {
    const { catalogues, log, clock } = answering(
      classesOf(false, 'Blur'),
      classesOf(false, 'Blur'),
      classesOf(true, 'Blur', 'Tint'),
    );
    const own = engine();
    const first = await catalogues.of(own, PACK);
    expect([first.hasOthers, first.classes.has('Blur')]).toEqual([true, true]);
    clock.now = 59_000;
    expect(await catalogues.of(own, PACK)).toBe(first);
    clock.now = 61_000;
    await catalogues.of(own, PACK);
    await settled();
    // The same answer again makes no other catalogue.
    expect(await catalogues.of(own, PACK)).toBe(first);
    clock.now = 122_000;
    expect(await catalogues.of(own, PACK)).toBe(first);
    await settled();
    expect(await catalogues.of(own, PACK)).toMatchObject({ hasOthers: false });
    expect(log).toEqual(['the registry has not read every node class of pack@1.0.0: unknown classes are not checked']);
  });

  it('that were all read are asked for again after ten minutes: a rescan may have read them anew', async () => {
    const { catalogues, asked, log, clock } = answering(
      classesOf(true, 'Blur'),
      classesOf(true, 'Blur', 'Tint'),
      new Error('away'),
      classesOf(true, 'Tint'),
    );
    const own = engine();
    const first = await catalogues.of(own, PACK);
    clock.now = 599_000;
    expect(await catalogues.of(own, PACK)).toBe(first);
    expect(asked).toHaveLength(1);
    clock.now = 601_000;
    expect(await catalogues.of(own, PACK)).toBe(first);
    await settled();
    const second = await catalogues.of(own, PACK);
    expect([...second.classes.keys()]).toEqual(['Own', 'Blur', 'Tint']);
    // A registry that is away takes nothing back.
    clock.now = 1_202_000;
    await catalogues.of(own, PACK);
    await settled();
    expect(await catalogues.of(own, PACK)).toBe(second);
    clock.now = 1_208_000;
    await catalogues.of(own, PACK);
    await settled();
    expect([...(await catalogues.of(own, PACK)).classes.keys()]).toEqual(['Own', 'Tint']);
    expect(log).toEqual([]);
  });

  it('are unknown while the registry is away, and known once it is back', async () => {
    const { catalogues, log, clock } = answering(new Error('away'), new Error('away'), classesOf(true, 'Blur'));
    const own = engine();
    const first = await catalogues.of(own, PACK);
    expect([first.hasOthers, [...first.classes.keys()]]).toEqual([true, ['Own']]);
    for (const now of [6_000, 12_000]) {
      clock.now = now;
      expect(await catalogues.of(own, PACK)).toBe(first);
      await settled();
    }
    const back = await catalogues.of(own, PACK);
    expect([back.hasOthers, back.classes.has('Blur')]).toEqual([false, true]);
    expect(log).toEqual(['the registry does not answer about pack@1.0.0: unknown node classes are not checked']);
  });

  it('are waited for 2 s', async () => {
    const begun = performance.now();
    const { catalogues } = answering(new Promise<never>(() => undefined));
    expect((await catalogues.of(engine(), PACK)).hasOthers).toBe(true);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('of a version that the registry does not have are none', async () => {
    const { catalogues, log } = answering(null);
    const { classes, hasOthers } = await catalogues.of(engine(), PACK);
    expect([[...classes.keys()], hasOthers]).toEqual([['Own'], false]);
    expect(log).toEqual(['the registry has no pack@1.0.0: it adds no node classes']);
  });
});
