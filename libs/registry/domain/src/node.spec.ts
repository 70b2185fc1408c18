import { describe, expect, it } from 'vitest';
import { given } from './given-when-then.fixture.js';
import {
  banNode,
  changeRanks,
  changeText,
  claimNode,
  createNode,
  deleteNode,
  evolveNode,
  releaseNode,
  reportNode,
  repositoryOf,
  unbanNode,
  writeBarrier,
} from './node.js';
import { NODE_STORIES, nodeAfter, nodeText } from './registry.fixture.js';

const AT = '2026-01-02T00:00:00.000Z';
const anActiveNode = nodeAfter(...NODE_STORIES['active']!);
const aBannedNode = nodeAfter(...NODE_STORIES['banned']!);
const aDeletedNode = nodeAfter(...NODE_STORIES['deleted']!);
const aReleasedNode = nodeAfter(...NODE_STORIES['released']!);

describe('a new node', () => {
  it('keeps the spelling in which it was first written, and has no ranks', () => {
    const data = { actor: 'account:a', node_id: 'Pack_A', publisher_id: 'p1', text: nodeText };
    const state = evolveNode(null, createNode(data).events[0]!, AT);
    const ranks = { search_ranking: 0, preempted: [], tags_admin: [] };
    expect(state).toEqual({
      ...{ streamVersion: 1, nodeId: 'Pack_A', publisherId: 'p1', status: 'active', reason: '', text: nodeText, ranks },
      createdAt: AT,
    });
  });

  it('is nobody while its stream has not begun', () => {
    expect(evolveNode(null, { type: 'NodeDeleted', data: { actor: 'a' } }, AT)).toBeNull();
  });
});

describe('what is said of a node', () => {
  it('changes for its publisher without its ranks', () => {
    const text = { ...nodeText, name: 'Other' };
    const outcome = given(anActiveNode).when((state) => changeText(state, text, 'account:a'));
    outcome.then({ type: 'NodeChanged', data: { actor: 'account:a', text, ranks: null } });
    expect(evolveNode(anActiveNode, outcome.events[0]!, AT)).toMatchObject({
      text,
      ranks: anActiveNode.ranks,
      streamVersion: 2,
    });
  });

  it('changes for the operator without its text', () => {
    const ranks = { search_ranking: 7, preempted: ['Blur'], tags_admin: ['good'] };
    const outcome = given(anActiveNode).when((state) => changeRanks(state, ranks, 'admin'));
    outcome.then({ type: 'NodeChanged', data: { actor: 'admin', text: null, ranks } });
    expect(evolveNode(anActiveNode, outcome.events[0]!, AT)).toMatchObject({ text: nodeText, ranks });
  });

  it('does not change when the same is said again', () => {
    given(anActiveNode)
      .when((state) => changeText(state, { ...nodeText }, 'a'))
      .thenNothing();
    given(anActiveNode)
      .when((state) => changeRanks(state, { ...state.ranks }, 'admin'))
      .thenNothing();
  });

  it('is not changed by a report', () => {
    const [event] = reportNode('account:b', 'spam', 'it is').events;
    expect(event).toEqual({ type: 'NodeReported', data: { actor: 'account:b', reason: 'spam', message: 'it is' } });
    expect(evolveNode(anActiveNode, event!, AT)).toEqual({ ...anActiveNode, streamVersion: 2 });
  });
});

describe('a banned node', () => {
  it('keeps the reason until it is unbanned, and then has the reason of that', () => {
    expect(aBannedNode).toMatchObject({ status: 'banned', reason: 'why' });
    const { events } = given(aBannedNode).when((state) => unbanNode(state, 'admin', 'an error'));
    expect(evolveNode(aBannedNode, events[0]!, AT)).toMatchObject({ status: 'active', reason: 'an error' });
  });

  it('is not deleted, so that no publisher escapes a ban', () => {
    given(aBannedNode)
      .when((state) => deleteNode(state, 'account:a'))
      .thenNothing();
  });
});

describe('a deleted node', () => {
  it('is not banned, so that an unban does not bring it back', () => {
    given(aDeletedNode)
      .when((state) => banNode(state, 'admin', 'why'))
      .thenNothing();
    given(aDeletedNode)
      .when((state) => unbanNode(state, 'admin', 'why'))
      .thenNothing();
  });

  it('is not released: its id is never free again', () => {
    given(aDeletedNode)
      .when((state) => releaseNode(state, 'admin'))
      .thenNothing();
  });

  it('keeps its repository for ever', () => {
    expect(repositoryOf(aDeletedNode)).toBe('github.com/acme/pack-a');
  });
});

describe('a released node', () => {
  it('belongs to nobody, and then to whoever claims it', () => {
    expect(aReleasedNode.publisherId).toBe('unclaimed');
    const outcome = given(aReleasedNode).when((state) => claimNode(state, 'account:b', 'p2'));
    outcome.then({ type: 'NodeClaimed', data: { actor: 'account:b', publisher_id: 'p2' } });
    const claimed = evolveNode(aReleasedNode, outcome.events[0]!, AT)!;
    expect(claimed).toMatchObject({ publisherId: 'p2', status: 'active' });
    given(claimed)
      .when((state) => claimNode(state, 'account:c', 'p3'))
      .thenRejected('not_unclaimed');
  });

  it('cannot be claimed while it is banned', () => {
    given(nodeAfter(...NODE_STORIES['released, banned']!))
      .when((state) => claimNode(state, 'account:b', 'p2'))
      .thenRejected('not_active');
  });
});

describe('members of a publisher', () => {
  it.each([
    ['write its active node', anActiveNode, 'p1', null],
    ['do not write its banned node', aBannedNode, 'p1', 'banned'],
    ['do not write its deleted node', aDeletedNode, 'p1', 'deleted'],
    ['do not write the node of another', anActiveNode, 'p2', 'of_another'],
    ['learn nothing of the status of the node of another', aBannedNode, 'p2', 'of_another'],
    ['do not write a node that was released', aReleasedNode, 'p1', 'of_another'],
  ])('%s', (_, node, publisher, barrier) => {
    expect(writeBarrier(node, publisher)).toBe(barrier);
  });
});
