import type { NodePackage, NodePackagesPort, PinnedCatalogue } from '@heddle/contracts-messages';
import { addClasses } from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';
import { HeavyEntries } from './heavy-entries.js';
import { ReadPackages } from './read-packages.js';
import type { ReadPackage } from './read-packages.js';

/** Catalogues of one engine with packages: each holds its own classes alone, the engine's are shared. */
const MAX_CLASSES = 100_000;
const MAX_CALLS = 8;

interface Packaged {
  readonly catalogue: Catalogue;
  readonly read: readonly ReadPackage[];
  readonly freshUntil: number;
}

/** Catalogues of engines with the classes of packages: built once for each list of packages, again when more is known. */
export class PackagedCatalogues {
  readonly #packages: ReadPackages;
  /** By the catalogue of the engine: what is built on one that nothing uses any more goes with it. */
  readonly #built = new WeakMap<Catalogue, HeavyEntries<Packaged>>();
  readonly #building = new WeakMap<Catalogue, Map<string, Promise<Catalogue>>>();

  constructor(
    registry: Pick<NodePackagesPort, 'classesOf'>,
    /** Hears what is not known of packages. */
    private readonly log: (line: string) => void,
    private readonly now: () => number,
  ) {
    this.#packages = new ReadPackages(registry, now);
  }

  async of(engine: Catalogue, packages: PinnedCatalogue['packages']): Promise<Catalogue> {
    const key = JSON.stringify(packages.map(({ id, version }) => [id, version]));
    const built = this.#built.get(engine)?.get(key);
    if (built !== undefined && this.now() < built.freshUntil) return built.catalogue;
    const building = this.#buildOnce(engine, key, packages);
    // Who has a catalogue does not wait for a better one.
    return built?.catalogue ?? (await building);
  }

  #buildOnce(engine: Catalogue, key: string, packages: PinnedCatalogue['packages']): Promise<Catalogue> {
    const running = this.#building.get(engine) ?? new Map<string, Promise<Catalogue>>();
    this.#building.set(engine, running);
    const asked = running.get(key);
    if (asked !== undefined) return asked;
    const building = this.#build(engine, key, packages).finally(() => running.delete(key));
    running.set(key, building);
    return building;
  }

  async #build(engine: Catalogue, key: string, packages: PinnedCatalogue['packages']): Promise<Catalogue> {
    const read = await this.#readAll(packages.map(({ id, version }) => ({ nodeId: id, version })));
    const entries = this.#built.get(engine) ?? new HeavyEntries<Packaged>(MAX_CLASSES);
    this.#built.set(engine, entries);
    const before = entries.get(key);
    const isSame = before !== undefined && read.every((one, at) => saysTheSame(one, before.read[at]!));
    const freshUntil = Math.min(...read.map((one) => one.freshUntil));
    const classes = read.flatMap((one) => one.classes);
    const isWhole = read.every((one) => one.isWhole);
    const catalogue = isSame ? before.catalogue : addClasses(engine, classes, isWhole);
    entries.set(key, { catalogue, read, freshUntil }, catalogue.classes.size);
    if (!isSame) for (const { fault } of read) if (fault !== null) this.log(fault);
    return catalogue;
  }

  async #readAll(packages: readonly NodePackage[]): Promise<readonly ReadPackage[]> {
    const read: ReadPackage[] = [];
    for (let at = 0; at < packages.length; at += MAX_CALLS) {
      const some = packages.slice(at, at + MAX_CALLS).map((one) => this.#packages.of(one));
      read.push(...(await Promise.all(some)));
    }
    return read;
  }
}

function saysTheSame(one: ReadPackage, other: ReadPackage): boolean {
  if (one.classes === other.classes) return one.fault === other.fault;
  return one.fault === other.fault && JSON.stringify(one.classes) === JSON.stringify(other.classes);
}
