import type { NodePackage, NodePackagesPort, PackageClasses } from '@heddle/contracts-messages';
import { answerWithin } from '../ask-registry/answer-within.js';
import { HeavyEntries } from './heavy-entries.js';

/** Texts of classes in memory; the largest package has 32 MiB. */
const MAX_CLASS_LENGTH = 64 * 1024 * 1024;
/** A submission waits no longer for the registry: what it did not answer is not known. */
const MAX_WAIT_MS = 2_000;
/** A rescan may read the classes of a version anew, with the rules of a newer registry. */
const WHOLE_MS = 600_000;
/** A package that has more classes is asked for again after this time. */
const PARTIAL_MS = 60_000;
const NO_ANSWER_MS = 5_000;

/** What is known of a package. `fault`: a sentence for the log; null: all its classes are known. */
export interface ReadPackage extends PackageClasses {
  readonly fault: string | null;
  /** From then on the registry is asked again; meanwhile this holds. */
  readonly freshUntil: number;
}

/** The classes of packages: kept while there is room, and asked for again from time to time. */
export class ReadPackages {
  readonly #known = new HeavyEntries<ReadPackage>(MAX_CLASS_LENGTH);
  readonly #asked = new Map<string, Promise<ReadPackage>>();

  constructor(
    private readonly registry: Pick<NodePackagesPort, 'classesOf'>,
    private readonly now: () => number,
  ) {}

  async of(version: NodePackage): Promise<ReadPackage> {
    const name = `${version.nodeId}@${version.version}`;
    const known = this.#known.get(name);
    if (known !== undefined && this.now() < known.freshUntil) return known;
    const read = await answerWithin(MAX_WAIT_MS, this.#ask(name, version));
    return read ?? this.#keep(name, this.#unread(name, known));
  }

  /** The answer is kept even if no caller waits for it any more. */
  async #ask(name: string, version: NodePackage): Promise<ReadPackage> {
    const asked = this.#asked.get(name);
    if (asked !== undefined) return await asked;
    const answer = this.registry
      .classesOf(version)
      .then((found) => this.#keep(name, this.#read(name, found)))
      .finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return await answer;
  }

  #read(name: string, found: PackageClasses | null): ReadPackage {
    if (found?.isWhole === true) return { ...found, fault: null, freshUntil: this.now() + WHOLE_MS };
    const freshUntil = this.now() + PARTIAL_MS;
    // An environment of earlier: without the registry's word about it, the package is a note.
    if (found === null)
      return { classes: [], isWhole: true, fault: `the registry has no ${name}: it adds no node classes`, freshUntil };
    const fault = `the registry has not read every node class of ${name}: unknown classes are not checked`;
    return { ...found, fault, freshUntil };
  }

  #unread(name: string, known: ReadPackage | undefined): ReadPackage {
    const freshUntil = this.now() + NO_ANSWER_MS;
    if (known !== undefined) return { ...known, freshUntil };
    const fault = `the registry does not answer about ${name}: unknown node classes are not checked`;
    return { classes: [], isWhole: false, fault, freshUntil };
  }

  #keep(name: string, read: ReadPackage): ReadPackage {
    const weight = read.classes.reduce((sum, { inputTypes, returnTypes, unknown }) => {
      return sum + inputTypes.length + returnTypes.length + unknown.join().length;
    }, name.length);
    this.#known.set(name, read, weight);
    return read;
  }
}
