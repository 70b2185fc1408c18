import { given } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import {
  banNode,
  changeRanks,
  changeText,
  claimNode,
  createNode,
  deleteNode,
  releaseNode,
  reportNode,
  repositoryOf,
  unbanNode,
  writeBarrier,
} from './node.js';
import {
  aBannedNode,
  aDeletedNode,
  anActiveNode,
  aReleasedNode,
  NODE_STORIES,
  nodeText,
  noNode,
} from './registry.fixture.js';

describe('a new node', () => {
  it('keeps the spelling in which it was first written, and has no ranks', () => {
    const data = { actor: 'account:a', node_id: 'Pack_A', publisher_id: 'p1', text: nodeText };
    const state = given(noNode)
      .when(() => createNode(data))
      .then({ type: 'NodeCreated', data });
    const ranks = { search_ranking: 0, preempted: [], tags_admin: [] };
    expect(state).toEqual({
      ...{ streamVersion: 1, nodeId: 'Pack_A', publisherId: 'p1', status: 'active', reason: '', text: nodeText, ranks },
      createdAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('is nobody while its stream has not begun', () => {
    expect(noNode.and({ type: 'NodeDeleted', data: { actor: 'a' } }).state()).toBeNull();
  });
});

describe('what is said of a node', () => {
  it('changes for its publisher without its ranks', () => {
    const text = { ...nodeText, name: 'Other' };
    const state = given(anActiveNode)
      .when((node) => changeText(node, text, 'account:a'))
      .then({ type: 'NodeChanged', data: { actor: 'account:a', text, ranks: null } });
    expect(state).toMatchObject({ text, ranks: anActiveNode.state().ranks, streamVersion: 2 });
  });

  it('changes for the operator without its text', () => {
    const ranks = { search_ranking: 7, preempted: ['Blur'], tags_admin: ['good'] };
    const state = given(anActiveNode)
      .when((node) => changeRanks(node, ranks, 'admin'))
      .then({ type: 'NodeChanged', data: { actor: 'admin', text: null, ranks } });
    expect(state).toMatchObject({ text: nodeText, ranks });
  });

  it('does not change when the same is said again', () => {
    given(anActiveNode)
      .when((node) => changeText(node, { ...nodeText }, 'a'))
      .thenNothing();
    given(anActiveNode)
      .when((node) => changeRanks(node, { ...node.ranks }, 'admin'))
      .thenNothing();
  });

  it('is not changed by a report', () => {
    const state = given(anActiveNode)
      .when(() => reportNode('account:b', 'spam', 'it is'))
      .then({ type: 'NodeReported', data: { actor: 'account:b', reason: 'spam', message: 'it is' } });
    expect(state).toEqual({ ...anActiveNode.state(), streamVersion: 2 });
  });
});

describe('a banned node', () => {
  it('keeps the reason until it is unbanned, and then has the reason of that', () => {
    expect(aBannedNode.state()).toMatchObject({ status: 'banned', reason: 'why' });
    const state = given(aBannedNode)
      .when((node) => unbanNode(node, 'admin', 'an error'))
      .then({ type: 'NodeUnbanned', data: { actor: 'admin', reason: 'an error' } });
    expect(state).toMatchObject({ status: 'active', reason: 'an error' });
  });

  it('is not deleted, so that no publisher escapes a ban', () => {
    given(aBannedNode)
      .when((node) => deleteNode(node, 'account:a'))
      .thenNothing();
  });
});

describe('a deleted node', () => {
  it('is not banned, so that an unban does not bring it back', () => {
    given(aDeletedNode)
      .when((node) => banNode(node, 'admin', 'why'))
      .thenNothing();
    given(aDeletedNode)
      .when((node) => unbanNode(node, 'admin', 'why'))
      .thenNothing();
  });

  it('is not released: its id is never free again', () => {
    given(aDeletedNode)
      .when((node) => releaseNode(node, 'admin'))
      .thenNothing();
  });

  it('keeps its repository for ever', () => {
    expect(repositoryOf(aDeletedNode.state())).toBe('github.com/acme/pack-a');
  });
});

describe('a released node', () => {
  it('belongs to nobody, and then to whoever claims it', () => {
    expect(aReleasedNode.state().publisherId).toBe('unclaimed');
    const claimed = { type: 'NodeClaimed', data: { actor: 'account:b', publisher_id: 'p2' } } as const;
    const state = given(aReleasedNode)
      .when((node) => claimNode(node, 'account:b', 'p2'))
      .then(claimed);
    expect(state).toMatchObject({ publisherId: 'p2', status: 'active' });
    given(aReleasedNode.and(claimed))
      .when((node) => claimNode(node, 'account:c', 'p3'))
      .thenRejected('not_unclaimed');
  });

  it('cannot be claimed while it is banned', () => {
    given(NODE_STORIES['released, banned']!)
      .when((node) => claimNode(node, 'account:b', 'p2'))
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
    expect(writeBarrier(node.state(), publisher)).toBe(barrier);
  });
});
