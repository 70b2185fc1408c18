import { BuiltinEngine } from '@heddle/engine-builtin';
import { CatalogueHolder, ValidateSubmissionHandler, ValidationLimits } from '@heddle/validation';
import type { Sample } from '../rows.ts';
import { chain } from '../workflows.ts';

/** Row S8: the whole judgement of a body beside JSON.parse of the same text, best of many turns. */
export async function measureValidation(): Promise<Sample> {
  const engine = new BuiltinEngine();
  const holder = new CatalogueHolder();
  holder.replace(Buffer.from(await engine.objectInfo()));
  await engine.close();
  const validate = new ValidateSubmissionHandler(holder, new ValidationLimits());
  const sample: Record<string, number> = {};
  for (const [nodes, turns] of [
    [50, 2000],
    [5000, 30],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ workflow: chain(nodes) }));
    sample[`parse${nodes}.us`] = best(turns, () => JSON.parse(body.toString('utf8')));
    sample[`validate${nodes}.us`] = best(turns, () => validate.handle(body));
  }
  return sample;
}

/** Microseconds of one turn: the best of five blocks. */
function best(turns: number, work: () => unknown): number {
  const blocks = Array.from({ length: 6 }, () => {
    const began = performance.now();
    for (let turn = 0; turn < turns; turn += 1) work();
    return ((performance.now() - began) * 1000) / turns;
  });
  return Math.min(...blocks.slice(1));
}
