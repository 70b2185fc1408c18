import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingObserver } from '@heddle/testing-engine';
import { SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { ScriptedDrive, until } from '../scripted-drive.fixture.js';

describe.each(['0.3.64', '0.33.0'] as const)('a canceled run (as %s speaks)', (version) => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start({ version });
  });
  afterEach(() => drive.close());

  it('is interrupted in the middle and reports nothing more', async () => {
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      await play.interrupted();
      play.finish('1');
      play.node('2', { images: [await play.file('never.png', SMALL_PNG)] });
      return { kind: 'interrupted' };
    });
    const [observer, cancel] = [new RecordingObserver(), new AbortController()];
    const ending = drive.run(observer, { signal: cancel.signal });
    await observer.called('started 1');
    cancel.abort();
    expect(await ending).toEqual({ kind: 'interrupted' });
    expect(observer.calls).toEqual(['started 1']);
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it('leaves the queue while it waits, without harm to the prompt that runs', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let wasInterrupted = false;
    const foreign = await drive.engine.foreignPrompt({ '1': { class_type: 'A', inputs: {} } }, async (play) => {
      play.begin('1');
      await Promise.race([held, play.interrupted()]);
      wasInterrupted = play.signal.aborted;
    });
    const cancel = new AbortController();
    const ending = drive.run(new RecordingObserver(), { signal: cancel.signal });
    await until(() => drive.requestsOf('POST', '/prompt') === 2);
    cancel.abort();
    expect(await ending).toEqual({ kind: 'interrupted' });
    goOn();
    await until(() => drive.engine.prompts.length === 1);
    expect(drive.engine.prompts.map(({ id }) => id)).toEqual([foreign]);
    expect(wasInterrupted).toBe(false);
    expect(await drive.run()).toEqual({ kind: 'succeeded' });
  });

  it('ends after its time-out if the engine does not stop, and is sent again when the engine answers', async () => {
    const stuck = drive.another({ timing: { callMs: 500, cancelMs: 400, pollMs: 100, blindPollMs: 100 } });
    drive.engine.onNextPrompt((play) => {
      play.begin('1');
      return play.deaf();
    });
    const [observer, cancel] = [new RecordingObserver(), new AbortController()];
    const workflow = Buffer.from('{"1":{"class_type":"A","inputs":{}}}');
    const ending = stuck.run({ runId: crypto.randomUUID(), workflow, files: [] }, observer, cancel.signal);
    await observer.called('started 1');
    cancel.abort();
    expect(await ending).toEqual({ kind: 'interrupted' });
    const asked = cancels(drive);
    drive.engine.dropSockets();
    await until(() => cancels(drive) > asked || drive.requestsOf('POST', '/interrupt') > 0);
  });

  it('is not submitted when it was canceled before', async () => {
    expect(await drive.run(new RecordingObserver(), { signal: AbortSignal.abort() })).toEqual({ kind: 'interrupted' });
    expect(drive.requestsOf('POST', '/prompt')).toBe(0);
  });

  it('is interrupted even while the engine does not answer its submission', async () => {
    drive.engine.breakRequests({ method: 'POST', path: '/prompt', fault: { kind: 'hang' } });
    const cancel = new AbortController();
    const ending = drive.run(new RecordingObserver(), { signal: cancel.signal });
    await until(() => drive.requestsOf('POST', '/prompt') === 1);
    cancel.abort();
    expect(await ending).toEqual({ kind: 'interrupted' });
  });

  it('that somebody else interrupts is reported as interrupted', async () => {
    drive.engine.onNextPrompt((play) => {
      play.begin('1');
      return play.endless();
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('started 1');
    await fetch(`${drive.engine.url}/interrupt`, { method: 'POST' });
    expect(await ending).toEqual({ kind: 'interrupted' });
  });

  it('is stopped on the engine when the driver closes', async () => {
    let wasInterrupted = false;
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      await play.interrupted();
      wasInterrupted = true;
      return { kind: 'interrupted' };
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('started 1');
    await drive.driver.close();
    expect(await ending).toMatchObject({ kind: 'lost', reason: 'the driver was closed' });
    await until(() => wasInterrupted);
  });
});

function cancels(drive: ScriptedDrive): number {
  return drive.engine.requests.filter(({ path }) => path.endsWith('/cancel') || path === '/queue').length;
}
