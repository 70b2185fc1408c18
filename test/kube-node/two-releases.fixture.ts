// The release of an earlier commit, which is the first on which the chart runs, and that of the checkout.
import { join } from 'node:path';
import { makeHeddleImage } from '../../tools/images/make-heddle-image.ts';
import { ROOT } from '../charts/charts.ts';
import previous from '../charts/previous/commit.json' with { type: 'json' };
import { buildOf } from '../upgrade/builds.ts';
import type { NodeKube } from './real-kube.fixture.ts';

export const PREVIOUS_CHART = join(ROOT, 'test/charts/previous/heddle-0.1.0.tgz');

/** Tags of the two images. */
export interface Tags {
  readonly previous: string;
  readonly current: string;
}

/** Puts both images on the node. */
export async function importBoth({ images }: NodeKube): Promise<Tags> {
  const current = await makeHeddleImage(ROOT);
  const build = await buildOf(previous.commit, 'test/charts/previous/commit.json');
  const earlier = await makeHeddleImage(build.root, previous.commit.slice(0, 12));
  for (const image of [current, earlier]) await images.import(image);
  return { previous: earlier.tag, current: current.tag };
}
