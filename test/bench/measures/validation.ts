import { BuiltinEngine } from '@heddle/engine-builtin';
import {
  CatalogueHolder,
  PinnedCatalogues,
  NamePackages,
  ValidateSubmissionHandler,
  ValidationLimits,
} from '@heddle/validation';
import type { Sample } from '../rows.ts';
import { chain } from '../workflows.ts';

/** Row S8: the whole validation of a body, compared with JSON.parse of the same text; best of many rounds. */
export async function measureValidation(): Promise<Sample> {
  const engine = new BuiltinEngine();
  const holder = new CatalogueHolder();
  holder.replace(Buffer.from(await engine.objectInfo()));
  await engine.close();
  const describe = (): Promise<Uint8Array> => Promise.reject(new Error('there is one engine'));
  const catalogues = new PinnedCatalogues(holder, {
    ...{ ownEngine: 'builtin', stored: null, describe },
    ...{ registry: null, log: () => undefined },
  });
  const validate = new ValidateSubmissionHandler(catalogues, new ValidationLimits(), new NamePackages(undefined));
  const sample: Record<string, number> = {};
  for (const [nodes, turns] of [
    [50, 500],
    [5000, 10],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ workflow: chain(nodes) }));
    sample[`parse${nodes}.us`] = await best(turns, () => JSON.parse(body.toString('utf8')));
    sample[`validate${nodes}.us`] = await best(turns, () => validate.handle(body, null));
  }
  return sample;
}

/** CPU microseconds of one round, best of five blocks. CPU time, because other load delays the wall clock. */
async function best(turns: number, work: () => unknown): Promise<number> {
  const blocks: number[] = [];
  for (let block = 0; block < 6; block += 1) {
    const before = process.threadCpuUsage();
    for (let turn = 0; turn < turns; turn += 1) await work();
    const { user, system } = process.threadCpuUsage(before);
    blocks.push((user + system) / turns);
  }
  return Math.min(...blocks.slice(1));
}
