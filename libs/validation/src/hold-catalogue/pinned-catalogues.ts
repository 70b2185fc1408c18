import type { CataloguesPort, NodePackagesPort, PinnedCatalogue } from '@heddle/contracts-messages';
import { compileCatalogue } from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';
import type { CatalogueHolder } from './catalogue-holder.js';
import { HeavyEntries } from './heavy-entries.js';
import { PackagedCatalogues } from './packaged-catalogues.js';

/** Documents in memory; a real engine's has 4.5 MB. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
/** An engine that is not the service's own is asked again after this time. */
const ENGINE_MS = 30_000;

/** Where catalogues come from that this service does not follow. */
export interface CatalogueSources {
  /** The engine of this service, whose classes the holder has. */
  readonly ownEngine: string;
  /** Null where no deployments are. */
  readonly stored: CataloguesPort | null;
  /** The own classes of another engine, as `/object_info` lists them. */
  readonly describe: (engine: string) => Promise<Uint8Array>;
  /** Null: packages add no classes. */
  readonly registry: Pick<NodePackagesPort, 'classesOf'> | null;
  /** Hears what is not known of packages. */
  readonly log: (line: string) => void;
}

interface Known {
  readonly catalogue: Catalogue;
  /** Infinite: a stored document never changes. */
  readonly freshUntil: number;
}

/**
 * The node classes of every environment: compiled once, kept while there is room, asked for where they are not known.
 */
export class PinnedCatalogues {
  readonly #known = new HeavyEntries<Known>(MAX_DOCUMENT_BYTES);
  readonly #asked = new Map<string, Promise<Catalogue | null>>();
  readonly #packaged: PackagedCatalogues | null;

  constructor(
    private readonly own: CatalogueHolder,
    private readonly sources: CatalogueSources,
    private readonly now: () => number = () => performance.now(),
  ) {
    const { registry, log } = sources;
    this.#packaged = registry === null ? null : new PackagedCatalogues(registry, log, now);
  }

  /** Null: the classes are not known now. */
  async of(pinned: PinnedCatalogue | null): Promise<Catalogue | null> {
    if (pinned === null) return this.own.current;
    const engine = await this.#ofEngine(pinned);
    if (pinned.packages.length === 0 || this.#packaged === null || engine === null) return engine;
    return await this.#packaged.of(engine, pinned.packages);
  }

  /** Why the classes of this service's engine are not known; null: it is not known, or it is another engine. */
  missing(pinned: PinnedCatalogue | null): string | null {
    const isOwn = pinned === null || (pinned.catalogueHash === null && pinned.engine === this.sources.ownEngine);
    return isOwn ? this.own.missing : null;
  }

  async #ofEngine({ engine, catalogueHash }: PinnedCatalogue): Promise<Catalogue | null> {
    if (catalogueHash !== null) {
      return (
        this.#known.get(catalogueHash)?.catalogue ?? (await this.#ask(catalogueHash, () => this.#stored(catalogueHash)))
      );
    }
    if (engine === this.sources.ownEngine) return this.own.current;
    const known = this.#known.get(engine);
    if (known !== undefined && this.now() < known.freshUntil) return known.catalogue;
    // An unreachable engine has no classes for now, or those that were seen last: no request waits for its return.
    const asked = this.#ask(engine, () => this.sources.describe(engine).catch(() => null));
    return known?.catalogue ?? (await asked);
  }

  async #stored(hash: string): Promise<Uint8Array | null> {
    return (await this.sources.stored?.document(hash)) ?? null;
  }

  /** Submissions that need the same catalogue wait for one answer. */
  async #ask(key: string, document: () => Promise<Uint8Array | null>): Promise<Catalogue | null> {
    const asked = this.#asked.get(key);
    if (asked !== undefined) return await asked;
    const answer = this.#compiled(key, document).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return await answer;
  }

  async #compiled(key: string, document: () => Promise<Uint8Array | null>): Promise<Catalogue | null> {
    const bytes = await document();
    if (bytes === null) return null;
    const isStored = key.startsWith('blake3:');
    const freshUntil = isStored ? Number.POSITIVE_INFINITY : this.now() + ENGINE_MS;
    const catalogue = compiled(bytes);
    if (catalogue !== null) this.#known.set(key, { catalogue, freshUntil }, bytes.length);
    return catalogue;
  }
}

/** A document without node classes is none. */
function compiled(bytes: Uint8Array): Catalogue | null {
  try {
    return compileCatalogue(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
