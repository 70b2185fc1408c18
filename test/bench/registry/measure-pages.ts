import type { Standalone } from '@heddle/testing-standalone';
import { requester } from '../http-load.ts';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';
import { getRequest } from './get-request.ts';
import { SEARCHES } from './package-names.ts';

const PAGES = 300;

/** Pages of 100 of all classes. The first of all waits until the places of all nodes are read; each other page is new. */
export async function measureClassPages(registry: Standalone): Promise<Sample> {
  const first: number[] = [];
  const far: number[] = [];
  await inTurn(registry, async (read) => {
    // Neither is in the time of a page: the registry loads with its first request, and reads all places with the first page.
    await read('/registry/keys');
    first.push(await read('/registry/wf-nodes?limit=100&page=1'));
    for (let turn = 1; turn <= PAGES; turn += 1) {
      // A parameter that nobody reads makes an answer of its own.
      first.push(await read(`/registry/wf-nodes?limit=100&page=1&turn=${turn}`));
      far.push(await read(`/registry/wf-nodes?limit=100&page=1000&turn=${turn}`));
    }
  });
  return {
    ...quantiles('classes', [...first, ...far]),
    ...quantiles('classes1', first),
    ...quantiles('classes1000', far),
  };
}

export async function measureSearches(registry: Standalone): Promise<Sample> {
  const times: number[] = [];
  await inTurn(registry, async (read) => {
    for (let turn = 0; turn < 8; turn += 1) {
      for (const text of SEARCHES) times.push(await read(`/registry/nodes/search?search=${text}&turn=${turn}`));
    }
  });
  return quantiles('search', times);
}

async function inTurn(
  { port }: Standalone,
  use: (read: (target: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const { send, close } = await requester(port);
  await use(async (target) => {
    const began = performance.now();
    const status = await send(getRequest(target));
    if (status !== 200) throw new Error(`${target} answered ${status}`);
    return performance.now() - began;
  });
  close();
}
