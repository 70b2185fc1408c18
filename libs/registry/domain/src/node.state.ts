import type { NodeRanks, NodeText } from './registry.events.js';

/** A node as its events leave it. */
export interface RegistryNodeState {
  /** Of its last event. */
  readonly streamVersion: number;
  /** In its first spelling. */
  readonly nodeId: string;
  readonly publisherId: string;
  readonly status: 'active' | 'banned' | 'deleted';
  readonly reason: string;
  readonly text: NodeText;
  readonly ranks: NodeRanks;
  readonly createdAt: string;
}

/** The publisher of released nodes (registry decisions, Claiming). */
export const UNCLAIMED = 'unclaimed';
