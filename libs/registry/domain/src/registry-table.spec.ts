import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { banNode, changeRanks, changeText, claimNode, deleteNode, evolveNode, releaseNode, unbanNode } from './node.js';
import type { RegistryNodeState } from './node.js';
import { banPublisher, evolvePublisher, unbanPublisher } from './publisher.js';
import type { NodeEvent } from './registry.events.js';
import {
  bytes,
  extraction,
  NODE_STORIES,
  nodeAfter,
  nodeText,
  publication,
  PUBLISHER_STORIES,
  publisherAfter,
  VERSION_BLOCKED,
  VERSION_CLEAN,
  VERSION_STORIES,
  versionAfter,
} from './registry.fixture.js';
import {
  deleteVersion,
  deprecate,
  evolveVersion,
  expire,
  publish,
  requestReview,
  rescan,
  review,
  setClasses,
  upload,
} from './version.js';
import type { VersionDecision, VersionState } from './version.js';

const AT = '2026-01-02T00:00:00.000Z';
const scan = (clean: boolean) => (): VersionDecision => ({
  ok: true,
  events: [clean ? VERSION_CLEAN : VERSION_BLOCKED],
});

const versionCommands: Readonly<Record<string, (state: VersionState) => VersionDecision>> = {
  publish: (state) => publish(state, publication),
  upload: (state) => upload(state, bytes),
  'scan, clean': scan(true),
  'scan, blocked': scan(false),
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
scan, clean         | >active     | >active          | +                | +                | >active          | +                | +                | +
scan, blocked       | >flagged    | >flagged         | >flagged         | >flagged         | +                | +                | +                | +
set classes         | no_bytes    | +                | +                | already_posted   | +                | +                | +                | no_bytes
deprecate           | +           | +                | +                | +                | +                | banned           | wrong_status     | wrong_status
deprecate, the same | =           | =                | =                | =                | =                | banned           | wrong_status     | wrong_status
delete              | >deleted    | >deleted         | >deleted         | >deleted         | >deleted         | banned           | =                | =
expire              | >deleted    | =                | =                | =                | =                | =                | =                | =
review active       | no_bytes    | wrong_status     | +                | +                | >active          | >active          | >active          | no_bytes
review flagged      | no_bytes    | wrong_status     | >flagged         | >flagged         | +                | wrong_status     | wrong_status     | no_bytes
review banned       | no_bytes    | wrong_status     | >banned          | >banned          | >banned          | +                | wrong_status     | no_bytes
review deleted      | >deleted    | >deleted         | >deleted         | >deleted         | >deleted         | wrong_status     | +                | +
rescan              | no_bytes    | =                | =                | =                | =                | wrong_status     | wrong_status     | no_bytes
request review      | not_flagged | not_flagged      | not_flagged      | not_flagged      | +                | not_flagged      | not_flagged      | not_flagged
`;

const nodeCommands: Readonly<Record<string, (state: RegistryNodeState) => readonly NodeEvent[] | null>> = {
  change: (state) => changeText(state, { ...nodeText, name: 'Other' }, 'a'),
  'change, the same': (state) => changeText(state, nodeText, 'a'),
  rank: (state) => changeRanks(state, { search_ranking: 1, preempted: [], tags_admin: [] }, 'a'),
  delete: (state) => deleteNode(state, 'a'),
  ban: (state) => banNode(state, 'a', 'why'),
  unban: (state) => unbanNode(state, 'a', 'why'),
  release: (state) => releaseNode(state, 'a'),
  claim: (state) => claimNode(state, 'a', 'p2'),
};

/** `!`: it cannot be claimed. */
const nodeTable = `
command          | active   | banned  | deleted | released | released, banned
change           | +        | +       | +       | +        | +
change, the same | =        | =       | =       | =        | =
rank             | +        | +       | +       | +        | +
delete           | >deleted | =       | =       | >deleted | =
ban              | >banned  | =       | =       | >banned  | =
unban            | =        | >active | =       | =        | >active
release          | +        | +       | =       | =        | =
claim            | !        | !       | !       | +        | !
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

function stepOf(before: { readonly status: string }, after: { readonly status: string }, events: number): string {
  if (events === 0) return '=';
  return after.status === before.status ? '+' : `>${after.status}`;
}

function versionStep(command: string, story: string): string {
  const before = versionAfter(...VERSION_STORIES[story]!)!;
  const decision = versionCommands[command]!(before);
  if (!decision.ok) return decision.rejection;
  const after = decision.events.reduce((state, event) => evolveVersion(state, event, AT)!, before);
  return stepOf(before, after, decision.events.length);
}

function nodeStep(command: string, story: string): string {
  const before = nodeAfter(...NODE_STORIES[story]!);
  const events = nodeCommands[command]!(before);
  if (events === null) return '!';
  return stepOf(
    before,
    events.reduce((state, event) => evolveNode(state, event, AT)!, before),
    events.length,
  );
}

describe('the life of a version (registry decisions, Version)', () => {
  const { stories, commands, cells } = cellsOf(versionTable);

  it('has a cell for every command and every state', () => {
    expect(new Set(['unpublished', ...stories])).toEqual(new Set(Object.keys(VERSION_STORIES)));
    expect(new Set(commands)).toEqual(new Set(Object.keys(versionCommands)));
  });

  it('begins with a publish', () => {
    const decision = publish(null, publication);
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'VersionPublished', data: { upload: 1 } }] });
  });

  it.each(cells)('$command when $story: $cell', ({ command, story, cell }) => {
    expect(versionStep(command, story)).toBe(cell);
  });

  it('has a new upload URL after each publish, and none of the bytes of before', () => {
    const open = versionAfter(...VERSION_STORIES['expired']!)!;
    const decision = publish(open, publication);
    if (!decision.ok) throw new Error(decision.rejection);
    const again = decision.events.reduce((state, event) => evolveVersion(state, event, AT)!, open);
    expect(again).toMatchObject({
      upload: 2,
      status: 'pending',
      bytes: null,
      createdAt: open.createdAt,
      publishedAt: AT,
    });
  });
});

describe('the drawing of the life of a version', () => {
  it('shows exactly the edges of the table', () => {
    const page = readFileSync(new URL('../../../../docs/architecture/17-registry.md', import.meta.url), 'utf8');
    const drawing = /```mermaid\nstateDiagram([^`]*)```/.exec(page)?.[1] ?? '';
    const drawn = [...drawing.matchAll(/^\s*(\S+) --> (\w+)/gm)].map(([, from, to]) => `${from} > ${to}`);
    const edges = cellsOf(versionTable).cells.flatMap(({ story, cell }) =>
      cell.startsWith('>') ? [`${versionAfter(...VERSION_STORIES[story]!)!.status} > ${cell.slice(1)}`] : [],
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
    expect(nodeStep(command, story)).toBe(cell);
  });
});

describe('the life of a publisher', () => {
  it.each([
    ['ban', 'active', '>banned'],
    ['ban', 'banned', '='],
    ['unban', 'active', '='],
    ['unban', 'banned', '>active'],
  ])('%s when %s: %s', (command, story, cell) => {
    const before = publisherAfter(...PUBLISHER_STORIES[story]!);
    const events = (command === 'ban' ? banPublisher : unbanPublisher)(before, 'a', 'why');
    const after = events.reduce((state, event) => evolvePublisher(state, event, AT)!, before);
    expect(stepOf(before, after, events.length)).toBe(cell);
  });
});
