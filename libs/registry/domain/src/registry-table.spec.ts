import type { Story } from '@heddle/testing-decisions';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Decision } from '@heddle/decision';
import { banNode, changeRanks, changeText, claimNode, deleteNode, releaseNode, reportNode, unbanNode } from './node.js';
import type { RegistryNodeState } from './node.state.js';
import { banPublisher, unbanPublisher } from './publisher.js';
import type { PublisherState } from './publisher.state.js';
import type { NodeEvent, PublisherEvent, RegistryEventData, VersionEvent } from './registry.events.js';
import {
  bytes,
  extraction,
  NODE_STORIES,
  nodeText,
  publication,
  PUBLISHER_STORIES,
  VERSION_BLOCKED,
  VERSION_CLEAN,
  VERSION_STORIES,
} from './registry.fixture.js';
import {
  deleteVersion,
  deprecate,
  endExtraction,
  endScan,
  expire,
  publish,
  requestReview,
  rescan,
  review,
  setClasses,
  upload,
} from './version.js';
import type { VersionState } from './version.state.js';

type Decided<Event> = Decision<Event, string>;
const scan = (again: boolean, scanned: VersionEvent) => (state: VersionState) =>
  endScan(state, scanned.data as RegistryEventData['VersionScanned'], again);

const versionCommands: Readonly<Record<string, (state: VersionState) => Decided<VersionEvent>>> = {
  publish: (state) => publish(state, publication),
  upload: (state) => upload(state, state.upload, bytes),
  'upload, earlier URL': (state) => upload(state, state.upload - 1, bytes),
  'scan, clean': scan(false, VERSION_CLEAN),
  'scan, blocked': scan(false, VERSION_BLOCKED),
  'scan again, clean': scan(true, VERSION_CLEAN),
  'scan again, blocked': scan(true, VERSION_BLOCKED),
  extract: (state) => endExtraction(state, extraction, false),
  'set classes': (state) => setClasses(state, extraction),
  deprecate: (state) => deprecate(state, { deprecated: true }, 'a'),
  'deprecate, the same': (state) => deprecate(state, {}, 'a'),
  delete: (state) => deleteVersion(state, 'a', 'why'),
  expire: (state) => expire(state, 'a', 'why'),
  'review active': (state) => review(state, 'active', 'a', 'ok'),
  'review flagged': (state) => review(state, 'flagged', 'a', 'look'),
  'review banned': (state) => review(state, 'banned', 'a', 'bad'),
  'review deleted': (state) => review(state, 'deleted', 'a', 'gone'),
  rescan,
  'request review': (state) => requestReview(state, 'a', 'please'),
};

/** `>x` changes to status x; `+` adds an event without a change of status; `=` is already so; else the rejection. */
const versionTable = `
command             | open        | waiting          | active           | extracted        | flagged          | banned           | deleted          | expired
publish             | +           | version_exists   | version_exists   | version_exists   | version_exists   | version_exists   | version_exists   | >pending
upload              | +           | already_uploaded | already_uploaded | already_uploaded | already_uploaded | already_uploaded | already_uploaded | not_pending
upload, earlier URL | replaced    | replaced         | replaced         | replaced         | replaced         | replaced         | replaced         | replaced
scan, clean         | =           | >active          | =                | =                | =                | =                | =                | =
scan, blocked       | =           | >flagged         | =                | =                | =                | =                | =                | =
scan again, clean   | =           | >active          | +                | +                | >active          | +                | +                | =
scan again, blocked | =           | >flagged         | >flagged         | >flagged         | +                | +                | +                | =
extract             | =           | +                | +                | =                | +                | +                | +                | =
set classes         | no_bytes    | +                | +                | already_posted   | +                | +                | +                | no_bytes
deprecate           | +           | +                | +                | +                | +                | banned           | deleted          | deleted
deprecate, the same | =           | =                | =                | =                | =                | banned           | deleted          | deleted
delete              | >deleted    | >deleted         | >deleted         | >deleted         | >deleted         | banned           | =                | =
expire              | >deleted    | =                | =                | =                | =                | =                | =                | =
review active       | no_bytes    | wrong_status     | +                | +                | >active          | >active          | >active          | no_bytes
review flagged      | no_bytes    | wrong_status     | >flagged         | >flagged         | +                | wrong_status     | wrong_status     | no_bytes
review banned       | no_bytes    | wrong_status     | >banned          | >banned          | >banned          | +                | wrong_status     | no_bytes
review deleted      | >deleted    | >deleted         | >deleted         | >deleted         | >deleted         | wrong_status     | +                | +
rescan              | no_bytes    | =                | =                | =                | =                | wrong_status     | wrong_status     | no_bytes
request review      | not_flagged | not_flagged      | not_flagged      | not_flagged      | +                | not_flagged      | not_flagged      | not_flagged
`;

const nodeCommands: Readonly<Record<string, (state: RegistryNodeState) => Decided<NodeEvent>>> = {
  change: (state) => changeText(state, { ...nodeText, name: 'Other' }, 'a'),
  'change, the same': (state) => changeText(state, nodeText, 'a'),
  rank: (state) => changeRanks(state, { search_ranking: 1, preempted: [], tags_admin: [] }, 'a'),
  'rank, the same': (state) => changeRanks(state, state.ranks, 'a'),
  report: () => reportNode('a', 'spam', ''),
  delete: (state) => deleteNode(state, 'a'),
  ban: (state) => banNode(state, 'a', 'why'),
  unban: (state) => unbanNode(state, 'a', 'why'),
  release: (state) => releaseNode(state, 'a'),
  claim: (state) => claimNode(state, 'a', 'p2'),
};

const nodeTable = `
command          | active        | banned        | deleted       | released | released, banned
change           | +             | +             | +             | +        | +
change, the same | =             | =             | =             | =        | =
rank             | +             | +             | +             | +        | +
rank, the same   | =             | =             | =             | =        | =
report           | +             | +             | +             | +        | +
delete           | >deleted      | =             | =             | >deleted | =
ban              | >banned       | =             | =             | >banned  | =
unban            | =             | >active       | =             | =        | >active
release          | +             | +             | =             | =        | =
claim            | not_unclaimed | not_unclaimed | not_unclaimed | +        | not_active
`;

const publisherCommands: Readonly<Record<string, (state: PublisherState) => Decided<PublisherEvent>>> = {
  ban: (state) => banPublisher(state, 'a', 'why'),
  unban: (state) => unbanPublisher(state, 'a', 'why'),
};

const publisherTable = `
command | active  | banned
ban     | >banned | =
unban   | =       | >active
`;

function cellsOf(table: string) {
  const [head, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const stories = head!.slice(1);
  const commands = rows.map(([command]) => command!);
  const cells = rows.flatMap(([command, ...row]) =>
    row.map((cell, at) => ({ command: command!, story: stories[at]!, cell })),
  );
  return { stories, commands, cells };
}

function step<State extends { readonly status: string }, Event>(
  past: Story<State, Event>,
  command: (state: State) => Decided<Event>,
): string {
  const before = past.state();
  const decision = command(before);
  if (!decision.ok) return decision.rejection;
  if (decision.events.length === 0) return '=';
  const { status } = past.and(...decision.events).state();
  return status === before.status ? '+' : `>${status}`;
}

describe('the life of a version (registry decisions, Version)', () => {
  const { stories, commands, cells } = cellsOf(versionTable);

  it('has a cell for every command and every state', () => {
    expect(new Set(stories)).toEqual(new Set(Object.keys(VERSION_STORIES)));
    expect(new Set(commands)).toEqual(new Set(Object.keys(versionCommands)));
  });

  it.each(cells)('$command when $story: $cell', ({ command, story, cell }) => {
    expect(step(VERSION_STORIES[story]!, versionCommands[command]!)).toBe(cell);
  });
});

describe('the drawing of the life of a version', () => {
  it('shows exactly the edges of the table', () => {
    const page = readFileSync(new URL('../../../../docs/architecture/17-registry.md', import.meta.url), 'utf8');
    const drawing = /```mermaid\nstateDiagram([^`]*)```/.exec(page)?.[1] ?? '';
    const drawn = [...drawing.matchAll(/^\s*(\S+) --> (\w+)/gm)].map(([, from, to]) => `${from} > ${to}`);
    const edges = cellsOf(versionTable).cells.flatMap(({ story, cell }) =>
      cell.startsWith('>') ? [`${VERSION_STORIES[story]!.state().status} > ${cell.slice(1)}`] : [],
    );
    expect(drawn.sort()).toEqual([...new Set([...edges, '[*] > pending'])].sort());
  });
});

describe('the life of a node', () => {
  const { stories, commands, cells } = cellsOf(nodeTable);

  it('has a cell for every command and every state', () => {
    expect(new Set(stories)).toEqual(new Set(Object.keys(NODE_STORIES)));
    expect(new Set(commands)).toEqual(new Set(Object.keys(nodeCommands)));
  });

  it.each(cells)('$command when $story: $cell', ({ command, story, cell }) => {
    expect(step(NODE_STORIES[story]!, nodeCommands[command]!)).toBe(cell);
  });
});

describe('the life of a publisher', () => {
  const { stories, commands, cells } = cellsOf(publisherTable);

  it('has a cell for every command and every state', () => {
    expect(new Set(stories)).toEqual(new Set(Object.keys(PUBLISHER_STORIES)));
    expect(new Set(commands)).toEqual(new Set(Object.keys(publisherCommands)));
  });

  it.each(cells)('$command when $story: $cell', ({ command, story, cell }) => {
    expect(step(PUBLISHER_STORIES[story]!, publisherCommands[command]!)).toBe(cell);
  });
});
