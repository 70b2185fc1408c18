import { describe, expect, it } from 'vitest';
import type { Catalogue, NodeClass } from '../catalogue/catalogue.js';
import { UNKNOWN_CLASS, UNKNOWN_VALUE } from '../catalogue/unknown-parts.js';
import type { JsonValue } from '../json/json-value.js';
import { checkLink } from './check-links.js';
import { ProblemLog } from './problem-log.js';

const catalogue: Catalogue = { classes: new Map(), older: false };
const classOf = (changes: Partial<NodeClass>): NodeClass => ({
  ...UNKNOWN_CLASS,
  hasOtherOutputs: false,
  ...changes,
});
const TARGET = classOf({ inputs: [] });
const input = { ...UNKNOWN_VALUE, name: 'image', type: 'IMAGE' };

/** What a link of node 0 to the node `source` gives: its problems, and where it leads. */
function linked(link: readonly JsonValue[], source: NodeClass | null, { fractional = false, target = TARGET } = {}) {
  const log = new ProblemLog();
  const numbers = new Map([
    ['target', 0],
    ['source', 1],
  ]);
  const leadsTo = checkLink(0, input, link, fractional, { numbers, classes: [target, source], catalogue, log });
  const problems = log.counted(() => true, new Map()).get(0) ?? [];
  expect(problems.every(({ field }) => field === 'image')).toBe(true);
  return { problems: problems.map(({ reason }) => reason), leadsTo };
}

const two = classOf({ outputs: ['IMAGE', 'MASK'] });

describe('a link', () => {
  it.each([
    [['source', 0], [], 'IMAGE'],
    [['source', 1], ['type_mismatch'], 'MASK'],
    [['source', 2], ['link_slot_out_of_range'], null],
    // Python counts a negative index from the end.
    [['source', -2], ['link_slot_out_of_range'], 'IMAGE'],
    [['source', -1], ['link_slot_out_of_range', 'type_mismatch'], 'MASK'],
    [['source', -3], ['link_slot_out_of_range'], null],
    [['source', false], ['bad_link'], 'IMAGE'],
    [['source', true], ['type_mismatch', 'bad_link'], 'MASK'],
    [['source', '0'], ['bad_link'], null],
    [['source', null], ['bad_link'], null],
    [['source', 0.5], ['bad_link'], null],
    [['source', Infinity], ['bad_link'], null],
  ] as const)('%j has the problems %j, and gives %j', (link, problems, type) => {
    expect(linked(link, two)).toEqual({ problems, leadsTo: { source: 1, type } });
  });

  it.each([[['source']], [['source', 0, 0]], [[]], [[7, 0]], [[null, 0]], [[['source'], 0]]] as const)(
    '%j is none',
    (link) => {
      expect(linked(link as readonly JsonValue[], two)).toEqual({ problems: ['bad_link'], leadsTo: null });
    },
  );

  it('to a node that does not exist leads nowhere, and its slot is judged too', () => {
    expect(linked(['gone', 0], two)).toEqual({ problems: ['link_source_not_found'], leadsTo: null });
    expect(linked(['gone', 'x'], two).problems).toEqual(['link_source_not_found', 'bad_link']);
  });

  it('with a slot like 0.0 is refused, though its number is whole', () => {
    expect(linked(['source', 0], two, { fractional: true })).toEqual({
      problems: ['bad_link'],
      leadsTo: { source: 1, type: null },
    });
  });

  it('to a node of an unknown class is followed, and its type not judged', () => {
    expect(linked(['source', 99], null)).toEqual({ problems: [], leadsTo: { source: 1, type: null } });
  });

  it('to a slot beyond those that are known of a class is taken', () => {
    const more = classOf({ outputs: ['IMAGE'], hasOtherOutputs: true });
    expect(linked(['source', 5], more)).toEqual({ problems: [], leadsTo: { source: 1, type: null } });
    expect(linked(['source', -1], more).problems).toEqual(['link_slot_out_of_range']);
  });
});
