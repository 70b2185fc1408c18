import { describe, expect, it } from 'vitest';
import { EngineCalls } from '../calls/engine-calls.js';
import { ENGINE_LIMITS, ENGINE_TIMING } from '../engine-options.js';
import { EngineLog, readLogMessage } from './engine-log.js';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

describe('the log of an engine', () => {
  it('is read from its messages, and from nothing else', () => {
    const entries = [
      { t: '2026-01-01T00:00:00', m: 'got prompt\n' },
      { t: '2026-01-01T00:00:01', m: ' 50%|#####     | 1/2\r' },
      { t: '2026-01-01T00:00:01' },
      null,
    ];
    const message = JSON.stringify({ type: 'logs', data: { entries, size: { cols: 80, rows: 24 } } });
    expect(readLogMessage(message)).toBe('got prompt\n 50%|#####     | 1/2\r');
    for (const other of ['', '{', '{"type":"logs"}', '{"type":"logs","data":{"entries":7}}', '{"type":"status"}']) {
      expect(readLogMessage(other)).toBeNull();
    }
  });

  it('is about the prompt that runs, and between two prompts about nobody known', () => {
    const log = new EngineLog(new EngineCalls(NOWHERE, ENGINE_TIMING, ENGINE_LIMITS), 'client');
    expect(log.running).toBeNull();
    log.seen('a', { kind: 'began' });
    log.seen('a', { kind: 'executing', nodeId: '1', displayNodeId: '1' });
    expect(log.running).toBe('a');
    log.seen('a', { kind: 'ending', how: 'success' });
    expect(log.running).toBeNull();
    log.seen('b', { kind: 'began' });
    log.connected();
    expect(log.running).toBeNull();
  });

  it('is done without where the engine does not take the subscription', async () => {
    const calls = new EngineCalls(NOWHERE, ENGINE_TIMING, ENGINE_LIMITS);
    await expect(new EngineLog(calls, 'client').want()).resolves.toBeUndefined();
    await calls.close();
  });
});
