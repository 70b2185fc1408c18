import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeJobEvent, JOB_EVENT_TYPES } from './job.codec.js';
import { messageParts } from './message-parts.js';

const FOLDER = new URL('../samples/', import.meta.url);

/** Parts of each type; a sample has the same ones in every schema version. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  JobSubmitted: ['submission', 'inputAssetIds'],
  JobLeased: ['lease'],
  LeaseLost: ['lost', 'progress'],
  NodeFinished: ['node'],
  OutputCommitted: ['output'],
  LogCaptured: [],
  CancelRequested: [],
  JobSucceeded: ['progress'],
  JobFailed: ['error', 'progress'],
  JobCanceled: ['progress'],
  JobExpired: ['progress'],
  JobPurged: [],
};

describe('the parts of a message', () => {
  it('are listed here for every type', () => {
    expect(Object.keys(PARTS).sort()).toEqual([...JOB_EVENT_TYPES].sort());
  });

  it.each(readdirSync(FOLDER))('of the sample %s are those of its type', (file) => {
    const [type, version] = file.split('.');
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const event = decodeJobEvent(type!, Number(version!.slice(1)), text);
    const stored = JSON.parse(text) as { readonly progress?: unknown };
    const wanted = PARTS[type!]!.filter((part) => part !== 'progress' || stored.progress !== null);
    expect(Object.keys(messageParts(event))).toEqual(wanted);
  });

  it('have what analysts need of a submission, a lease, a loss and a node, and nothing more', () => {
    const read = (name: string): ReturnType<typeof messageParts> => {
      const [type, version] = name.split('.');
      const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
      return messageParts(decodeJobEvent(type!, Number(version!.slice(1)), text));
    };
    expect(Object.keys(read('JobSubmitted.v2').submission!)).toEqual(['nodesTotal', 'metadata', 'surface']);
    expect(Object.keys(read('JobLeased.v1').lease!)).toEqual(['attempt', 'workerId', 'environment']);
    expect(Object.keys(read('LeaseLost.v1').lost!)).toEqual(['reason', 'attemptSpent']);
    const node = ['nodeId', 'classType', 'startedAt', 'endedAt', 'cached'];
    expect(Object.keys(read('NodeFinished.v1').node!)).toEqual(node);
  });
});
