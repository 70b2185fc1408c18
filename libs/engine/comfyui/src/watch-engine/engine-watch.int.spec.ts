import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedDrive, until } from '../scripted-drive.fixture.js';
import type { EngineChange } from './engine-watch.js';

describe('the watch over an engine', () => {
  let drive: ScriptedDrive;
  let changes: EngineChange[];
  beforeEach(async () => {
    drive = await ScriptedDrive.start({ objectInfo: '{"A":{"output_node":true}}' });
    changes = [];
    drive.driver.watch((item) => changes.push(item));
    await until(() => changes.length === 1);
  });
  afterEach(() => drive.close());

  it('reports the first catalogue, and the version of the engine', () => {
    const objectInfo = '{"A":{"output_node":true}}';
    expect(changes).toEqual([{ kind: 'catalogue', environment: 'comfyui/0.33.0', objectInfo }]);
    expect(drive.driver.environment).toBe('comfyui/0.33.0');
  });

  it('does not take another web server for the engine', async () => {
    drive.engine.breakRequests({ path: '/system_stats', fault: { kind: 'status', status: 404, body: 'not found' } });
    await until(() => changes.length === 2);
    expect(changes[1]).toEqual({
      kind: 'away',
      reason: 'GET /system_stats of the engine: status 404',
      answers: true,
    });
    drive.engine.heal();
    await until(() => changes.length === 3);
    expect(changes[2]).toMatchObject({ kind: 'back' });
  });

  it('reports once that the engine went away, and that it came back with other classes', async () => {
    await drive.engine.goDown();
    await until(() => changes.length === 2);
    expect(await drive.driver.objectInfo()).toBe('{"A":{"output_node":true}}');
    drive.engine.setObjectInfo('{"B":{}}');
    await drive.engine.comeUp();
    await until(() => changes.length === 4);
    expect(changes.map(({ kind }) => kind)).toEqual(['catalogue', 'away', 'back', 'catalogue']);
    expect(changes[1]).toMatchObject({ answers: false });
    expect(changes[3]).toMatchObject({ objectInfo: '{"B":{}}' });
    expect(await drive.driver.objectInfo()).toBe('{"B":{}}');
  });

  it('notices changed classes of an engine that stayed, and is silent while nothing changes', async () => {
    const looks = drive.requestsOf('GET', '/object_info');
    await until(() => drive.requestsOf('GET', '/object_info') >= looks + 3);
    expect(changes).toHaveLength(1);
    drive.engine.setObjectInfo('{"A":{},"C":{}}');
    await until(() => changes.length === 2);
    expect(changes[1]).toMatchObject({ kind: 'catalogue', objectInfo: '{"A":{},"C":{}}' });
  });

  it('keeps the last catalogue while the engine answers nonsense', async () => {
    drive.engine.breakRequests({ path: '/object_info', fault: { kind: 'status', status: 200, body: '[]' } });
    await until(() => changes.length === 2);
    expect(changes[1]).toMatchObject({ kind: 'away', reason: expect.stringContaining('/object_info') });
    drive.engine.heal();
    await until(() => changes.length === 3);
    expect(changes[2]).toMatchObject({ kind: 'back' });
  });
});
