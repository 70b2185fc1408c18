import type { FileSource, FoundFile } from './run-files.js';

/** A name that says its content: equal names mean equal bytes. */
const CONTENT_NAME = /(?:^|\/)[0-9a-f]{64}(?:\.[A-Za-z0-9]+)?$/;

/** The files that came with a run, by name, and no others; a name may end in ` [input]`, as the engine allows. */
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
