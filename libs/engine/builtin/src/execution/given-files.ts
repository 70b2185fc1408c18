import type { FileSource, FoundFile } from './run-files.js';

/** A content-addressed name: equal names mean equal bytes. */
const CONTENT_NAME = /(?:^|\/)[0-9a-f]{64}(?:\.[A-Za-z0-9]+)?$/;

/** Finds only the files of a run, by name. A name may end in ` [input]`, as the real engine allows. */
export class GivenFiles implements FileSource {
  private readonly names: ReadonlySet<string>;

  constructor(
    names: readonly string[],
    private readonly fetch: (name: string) => Promise<string>,
  ) {
    this.names = new Set(names);
  }

  async find(given: string): Promise<FoundFile | null> {
    const name = given.endsWith(' [input]') ? given.slice(0, -' [input]'.length) : given;
    if (!this.names.has(name)) return null;
    return { contentKey: CONTENT_NAME.test(name) ? name : null, path: () => this.fetch(name) };
  }
}
