import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import { startFloor } from '../floor-server.ts';
import { resetPeak, rssMib } from '../process-cpu.ts';
import { OPEN_REGISTRY, sourceOf } from '../registry/loaded-registry.ts';
import { measureRepeatedRead } from '../registry/measure-repeated-read.ts';
import { createPublisher, inspected, openUpload, publishPackage, zipOf } from '../registry/publish-package.ts';
import type { BenchPublisher, RegistryTarget } from '../registry/publish-package.ts';
import type { Sample } from '../rows.ts';
import { send } from './uploads.ts';

const MIB = 1024 * 1024;
/** Below the limit of an archive, with what a zip adds. */
const LARGE = 96 * MIB;
const FILES = 1_000;
const TURNS = 3;

/**
 * Rows R5 to R8: what a publish costs until its version is active, the upload beside receive + hash + write + fsync, and a
 * read whose tag the client has.
 */
export async function measureRegistryPublish(): Promise<Sample> {
  const registry = await startStandalone({ env: OPEN_REGISTRY });
  try {
    const publisher = await createPublisher(registry, 'bench');
    const publish = await timedPublishes(registry, publisher);
    const large = await zipOf({ '__init__.py': sourceOf(['Large']), 'weights.bin': randomBytes(LARGE) });
    const rates: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const url = new URL(await openUpload(registry, publisher, named('large', turn)));
      const put = { method: 'PUT', status: 200 };
      rates.push(await rateOf(() => send(registry.port, url.pathname + url.search, {}, [large], put), large));
      await inspected(registry, 'large', `1.${turn}.0`);
    }
    const repeated = await measureRepeatedRead(registry, '/registry/nodes/small');
    const many = await manyFiles(registry, publisher, registry.pid);
    return {
      ...publish,
      ...repeated,
      ...many,
      'archive.rate': Math.max(...rates),
      'archive-floor.rate': await floorRate(large),
    };
  } finally {
    await registry.stop();
  }
}

/** Seconds from the call to publish to an active version, of a package of 1 MiB */
async function timedPublishes(registry: RegistryTarget, publisher: BenchPublisher): Promise<Sample> {
  const seconds: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const files = { '__init__.py': sourceOf(['One', 'Two']), 'weights.bin': randomBytes(MIB) };
    const archive = await zipOf(files);
    const began = performance.now();
    const status = await publishPackage(registry, publisher, { ...named('small', turn), archive });
    if (status !== 'NodeVersionStatusActive') throw new Error(`a package of 1 MiB is ${status}`);
    seconds.push((performance.now() - began) / 1_000);
  }
  return { 'publish.seconds': Math.min(...seconds) };
}

/** Seconds from the end of the upload of 1,000 files with a class each to an active version, and memory above idle */
async function manyFiles(registry: RegistryTarget, publisher: BenchPublisher, pid: number): Promise<Sample> {
  const numbers = Array.from({ length: FILES }, (_, number) => number);
  const root = numbers.map((n) => `from . import n${n}\nNODE_CLASS_MAPPINGS.update(n${n}.NODE_CLASS_MAPPINGS)\n`);
  const archive = await zipOf({
    '__init__.py': `NODE_CLASS_MAPPINGS = {}\n${root.join('')}`,
    ...Object.fromEntries(numbers.map((n) => [`n${n}.py`, sourceOf([`Class${n}`])])),
  });
  const seconds: number[] = [];
  const idle = rssMib(pid);
  await resetPeak(pid);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const url = new URL(await openUpload(registry, publisher, named('many', turn)));
    const { port, pathname, search } = url;
    await send(Number(port), pathname + search, {}, [archive], { method: 'PUT', status: 200 });
    const began = performance.now();
    const status = await inspected(registry, 'many', `1.${turn}.0`);
    if (status !== 'NodeVersionStatusActive') throw new Error(`a package of ${FILES} files is ${status}`);
    seconds.push((performance.now() - began) / 1_000);
  }
  return {
    'inspect1000.seconds': Math.min(...seconds),
    'inspect1000.peak': rssMib(pid, 'VmHWM'),
    'inspect1000.idle': idle,
  };
}

async function floorRate(bytes: Buffer): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-'));
  const floor = await startFloor('upload.ts', [folder]);
  try {
    const rates: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      rates.push(await rateOf(() => send(floor.port, '/', {}, [bytes]), bytes));
    }
    return Math.max(...rates);
  } finally {
    await floor.stop();
    await rm(folder, { recursive: true });
  }
}

/** Megabytes a second */
async function rateOf(upload: () => Promise<void>, { length }: Buffer): Promise<number> {
  const began = performance.now();
  await upload();
  return length / 1e6 / ((performance.now() - began) / 1_000);
}

function named(
  id: string,
  turn: number,
): { readonly node: { readonly id: string }; readonly version: { readonly version: string } } {
  return { node: { id }, version: { version: `1.${turn}.0` } };
}
