import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RecordingObserver } from '@heddle/testing-engine';
import { NodeBook } from '../run-prompt/node-book.js';
import { readGraph } from '../run-prompt/read-graph.js';
import type { GraphNodes } from '../run-prompt/read-graph.js';
import { readBinaryMessage } from './binary-message.js';
import { readTextMessage } from './engine-event.js';
import type { PromptEvent } from './engine-event.js';

interface Line {
  readonly dir: string;
  readonly path?: string;
  readonly text?: { readonly type: string; readonly data: { readonly prompt_id?: string } };
  readonly binary?: { readonly length: number; readonly header_hex: string };
  readonly body?: { readonly prompt?: object; readonly prompt_id?: string };
}

const OUTPUTS = new Set(['SaveImage', 'PreviewImage', 'PreviewAny', 'SaveImageWebsocket']);
const RECORDED: ReadonlyMap<string, readonly Line[]> = new Map(
  ['0.3.64', '0.33.0'].flatMap((version) => {
    const file = new URL(`../../../comfyui-server/recorded/ws-${version}.jsonl`, import.meta.url);
    const scenarios = readFileSync(file, 'utf8').trim().split('\n');
    return scenarios.map((text) => {
      const { name, events } = JSON.parse(text) as { name: string; events: Line[] };
      return [`${version}/${name}`, events] as const;
    });
  }),
);
const transcripts = [...RECORDED.keys()];
const lines = (scenario: string): readonly Line[] => RECORDED.get(scenario) ?? [];

/** What each prompt's messages yield for its graph. */
function replay(file: string): { observer: RecordingObserver; graph: GraphNodes; kinds: string[] }[] {
  const all = lines(file);
  return all.flatMap(({ dir, path, body }) => {
    if (dir !== 'request' || path !== '/prompt' || body?.prompt === undefined) return [];
    const graph = readGraph(Buffer.from(JSON.stringify(body.prompt)), OUTPUTS);
    if (typeof graph === 'string') return [];
    const observer = new RecordingObserver();
    const book = new NodeBook(graph, observer);
    const kinds: string[] = [];
    for (const { dir: way, text } of all) {
      const routed = way === 'recv' && text !== undefined ? readTextMessage(JSON.stringify(text)) : null;
      if (routed === null || routed.promptId !== body.prompt_id) continue;
      kinds.push(routed.event.kind);
      hear(book, routed.event);
    }
    return [{ observer, graph, kinds }];
  });
}

function hear(book: NodeBook, event: PromptEvent): void {
  if (event.kind === 'cached') book.cached(event.nodes);
  else if (event.kind === 'executing') book.executing(event.nodeId, event.displayNodeId);
  else if (event.kind === 'progress') book.progress(event.nodeId, event.value, event.max);
  else if (event.kind === 'states') book.states(event.nodes);
}

describe('the recorded messages of both engines', () => {
  it.each(transcripts)('of %s are all read, and report each node once', (file) => {
    for (const { dir, text } of lines(file)) {
      if (dir !== 'recv' || text?.data.prompt_id === undefined) continue;
      expect(readTextMessage(JSON.stringify(text))?.promptId).toBe(text.data.prompt_id);
    }
    for (const { observer } of replay(file)) {
      const endings = observer.calls
        .filter((call) => /^(finished|cached)/.test(call))
        .map((call) => call.split(' ')[1]);
      expect(new Set(endings).size).toBe(endings.length);
    }
  });

  it.each(['0.3.64', '0.33.0'])('of %s: every needed node ends, cached or run', (version) => {
    for (const scenario of ['success', 'cached_rerun', 'partly_cached', 'list_nodes', 'feature_flags_and_binary']) {
      for (const { observer, graph, kinds } of replay(`${version}/${scenario}`)) {
        expect(kinds.at(-1)).toBe('over');
        const ended = observer.calls
          .filter((call) => /^(finished|cached)/.test(call))
          .map((call) => call.split(' ')[1]);
        expect([...ended].sort()).toEqual([...graph.needed].sort());
      }
    }
  });

  it.each(['0.3.64', '0.33.0'])('of %s: steps of a node are reported while it runs', (version) => {
    const [played] = replay(`${version}/feature_flags_and_binary`);
    const calls = played?.observer.calls ?? [];
    expect(calls).toContain('progress 3');
    expect(calls.lastIndexOf('progress 3')).toBeLessThan(calls.indexOf('finished 3'));
    expect(calls.indexOf('started 3')).toBeLessThan(calls.indexOf('progress 3'));
  });

  it.each(transcripts)("of %s: a binary message is a preview with its node, or nobody's text", (file) => {
    for (const { dir, binary } of lines(file)) {
      if (dir !== 'recv' || binary === undefined) continue;
      const bytes = Buffer.alloc(binary.length);
      Buffer.from(binary.header_hex, 'hex').copy(bytes);
      const event = bytes.readUInt32BE(0);
      const preview = readBinaryMessage(bytes);
      if (event === 3) expect(preview).toBeNull();
      // Only the start of long messages was recorded; their metadata is cut.
      else if (event === 1) expect(preview?.contentType).toMatch(/^image\//);
    }
  });
});

describe('a snapshot that is too large to be read each time', () => {
  it('infers from the order of execution which nodes ended', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [
        `n${i}`,
        { node_id: `n${i}`, state: 'finished', value: 1, max: 1, prompt_id: 'p' },
      ]),
    );
    const text = JSON.stringify({ type: 'progress_state', data: { prompt_id: 'p', nodes } });
    expect(text.length).toBeGreaterThan(64 * 1024);
    expect(readTextMessage(text)).toEqual({ promptId: 'p', event: { kind: 'states', nodes: null } });
    const observer = new RecordingObserver();
    const book = new NodeBook(
      {
        classes: new Map([
          ['a', 'A'],
          ['b', 'B'],
        ]),
        needed: new Set(['a', 'b']),
      },
      observer,
    );
    book.states(null);
    book.executing('a', 'a');
    book.states(null);
    book.executing('b', 'b');
    book.finishRunning();
    expect(observer.calls).toEqual(['started a', 'finished a', 'started b', 'finished b']);
  });
});
