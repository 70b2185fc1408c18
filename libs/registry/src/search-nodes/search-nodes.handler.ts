import { Injectable } from '@nestjs/common';
import type { NodePageWire } from '@heddle/contracts-registry';
import { NodeReads } from '../find-nodes/node-reads.js';
import type { NodeRecords } from '../find-nodes/node-reads.js';
import { renderNodePage } from '../render-wire/node-wire.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import { hasClassSql, matchSql, SEARCH_ORDER, searchSql, similarSql } from './search-nodes.sql.js';
import type { SearchQuery } from './search-query.js';
import { foldText, gramQuery, gramsOf, inClass, soughtGrams, wordsOf } from './search-terms.js';

/** Nodes with an active version that match a text, the best first; without a text all, by their ids. */
@Injectable()
export class SearchNodesHandler {
  constructor(
    private readonly nodes: NodeReads,
    private readonly signer: VersionSigner,
  ) {}

  async handle(asked: SearchQuery, url: string): Promise<NodePageWire> {
    let found = await this.#found(asked, false);
    // Similar names are an answer to a text that nothing holds.
    if (found.total === 0 && asked.search !== null) found = await this.#found(asked, true);
    return renderNodePage(found, asked, { url, signer: this.signer });
  }

  async #found(asked: SearchQuery, isSimilar: boolean): Promise<NodeRecords> {
    const values: unknown[] = [];
    // The first two values are the page's.
    const place = (value: unknown): string => `$${values.push(value) + 2}`;
    const conditions: string[] = [];
    const { search, wf_node_search: className, repository_url_search: repository, page, limit } = asked;
    const text = (given: string): string => `${place(foldText(given).trim())}::text`;
    const grams: (readonly string[])[] = [];
    if (className !== null) grams.push(soughtGrams(wordsOf(foldText(className))).map(inClass));
    if (search !== null) {
      const words = wordsOf(foldText(search));
      if (isSimilar) conditions.push(similarSql(`${place(gramsOf(words))}::text[]`));
      else grams.push(soughtGrams(words));
    }
    // A text of nothing that an index holds, such as NUL alone, is nowhere.
    if (grams.some((all) => all.length === 0)) conditions.push('false');
    if (repository !== null) conditions.push(`position(${place(foldText(repository))} in l.repository) > 0`);
    for (const column of ['supported_os', 'supported_accelerator'] as const) {
      const value = asked[column];
      const list = column === 'supported_os' ? column : 'supported_accelerators';
      if (value !== null) conditions.push(`${place(foldText(value))} = any (l.${list})`);
    }
    let match = '0';
    if (search !== null) match = matchSql(text(search));
    else if (className !== null) match = `case when ${hasClassSql(text(className))} then 4 else 6 end`;
    const isAll = search === null && className === null && repository === null;
    const order = isAll ? 'node_key' : SEARCH_ORDER;
    const all = grams.flat();
    let sought = all.length === 0 ? null : place(gramQuery(all));
    // The grams of a name, which similar names share, are not among what is listed by the grams of a text.
    if (isSimilar && sought !== null) {
      conditions.push(`l.grams @@ ${sought}::tsquery`);
      sought = null;
    }
    const parts = { grams: sought, conditions, match };
    return await this.nodes.page({ found: searchSql(parts), order, values, page, limit });
  }
}
