import type { Standalone } from '@heddle/testing-standalone';
import { startFloor } from '../floor-server.ts';
import { pause, runLoad } from '../http-load.ts';
import { withCpu } from '../measures/submit.ts';
import { cpuUs } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import { getRequest } from './get-request.ts';

const TURNS = 5;

/** Row R8: CPU that the server spends on a read whose tag the client has, beside an answer of the framework alone. */
export async function measureRepeatedRead({ url, port, pid }: Standalone, path: string): Promise<Sample> {
  // What an inspection still writes would change the tag.
  await pause(1_000);
  const tag = (await fetch(url + path)).headers.get('etag') ?? '';
  const floor = await startFloor('nest-noop.ts');
  const read = getRequest(path, { host: new URL(url).host, 'if-none-match': tag });
  const [repeated, answered]: [number[], number[]] = [[], []];
  try {
    // By turns: other work on the machine meets both.
    for (let turn = 0; turn < TURNS; turn += 1) {
      repeated.push(await cpuOf(pid, port, read, 304));
      answered.push(await cpuOf(floor.pid, floor.port, getRequest('/noop'), 200));
    }
  } finally {
    await floor.stop();
  }
  return { 'repeated.us': Math.min(...repeated), 'nest-get.us': Math.min(...answered) };
}

/** Microseconds of the processor for a request */
async function cpuOf(pid: number, port: number, request: Buffer, expectStatus: number): Promise<number> {
  const load = { port, connections: 16, warmMs: 1_000, measureMs: 2_000, request: () => request, expectStatus };
  return (
    await withCpu(
      () => cpuUs(pid),
      (around) => runLoad(load, around),
    )
  ).cpu;
}
