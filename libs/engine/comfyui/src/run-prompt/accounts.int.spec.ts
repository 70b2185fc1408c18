import { RecordingObserver } from '@heddle/testing-engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedDrive, until } from '../scripted-drive.fixture.js';

describe('runs of several accounts on one engine', () => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start();
  });
  afterEach(async () => {
    await drive.close();
  });

  /** The posts to the engine, in order. */
  const posts = (): readonly string[] =>
    drive.engine.requests
      .filter(({ method, path }) => method === 'POST' && path !== '/upload/image')
      .map(({ path }) => path);
  const run = (account?: string, signal?: AbortSignal) => drive.run(new RecordingObserver(), { account, signal });
  /** The next prompt runs until it is let go. */
  function hold(): () => void {
    const gate = Promise.withResolvers<void>();
    drive.engine.onNextPrompt(async (play) => {
      play.begin('1');
      await gate.promise;
    });
    return () => gate.resolve();
  }

  it('have the engine forget before each change of the account, and before the first', async () => {
    for (const account of ['one', 'one', 'two', 'one']) expect(await run(account)).toEqual({ kind: 'succeeded' });
    const expected = ['/free', '/prompt', '/prompt', '/free', '/prompt', '/free', '/prompt'];
    expect(posts()).toEqual(expected);
  });

  it('are told apart from nothing where there is one account: the engine never forgets', async () => {
    for (let count = 0; count < 3; count++) expect(await run()).toEqual({ kind: 'succeeded' });
    expect(posts()).toEqual(['/prompt', '/prompt', '/prompt']);
  });

  it('never overlap, keep their order, and overlap within one account', async () => {
    const letGo = hold();
    const first = run('one');
    await until(() => drive.engine.prompts.length === 1);
    const rest = [run('one'), run('two'), run('one'), run('two')];
    await until(() => posts().length === 3);
    expect(posts()).toEqual(['/free', '/prompt', '/prompt']);
    letGo();
    await Promise.all([first, ...rest]);
    expect(posts().slice(3)).toEqual(['/free', '/prompt', '/free', '/prompt', '/free', '/prompt']);
  });

  it('that are canceled while they wait let the others through', async () => {
    const letGo = hold();
    const first = run('one');
    await until(() => drive.engine.prompts.length === 1);
    const cancel = new AbortController();
    const [canceled, last] = [run('two', cancel.signal), run('one')];
    cancel.abort();
    expect(await canceled).toEqual({ kind: 'interrupted' });
    await until(() => posts().length === 3);
    letGo();
    expect([await first, await last]).toEqual([{ kind: 'succeeded' }, { kind: 'succeeded' }]);
    expect(posts()).toEqual(['/free', '/prompt', '/prompt']);
  });

  it('do not begin on an engine that did not forget', async () => {
    expect(await run('one')).toEqual({ kind: 'succeeded' });
    const broken = drive.engine.breakRequests({ path: '/free', times: 1, fault: { kind: 'status', status: 500 } });
    expect(await run('two')).toMatchObject({ kind: 'lost', reason: expect.stringContaining('POST /free') as string });
    expect(broken.hits).toBe(1);
    expect(drive.engine.prompts).toHaveLength(1);
    expect(await run('two')).toEqual({ kind: 'succeeded' });
    expect(posts().slice(2)).toEqual(['/free', '/free', '/prompt']);
  });

  it('wait until a prompt has ended that an earlier run left behind', async () => {
    const letGo = hold();
    const { promise, abort } = cancelable();
    await until(() => drive.engine.prompts.length === 1);
    abort();
    await promise;
    const next = run('two');
    await until(() => drive.requestsOf('GET', '/queue') > 3);
    expect(drive.requestsOf('POST', '/prompt')).toBe(1);
    letGo();
    expect(await next).toEqual({ kind: 'succeeded' });
  });

  /** A run of another client of the engine, which Heddle cannot stop. */
  function cancelable(): { readonly promise: Promise<unknown>; readonly abort: () => void } {
    const cancel = new AbortController();
    const stuck = drive.another({ timing: { callMs: 500, cancelMs: 200, pollMs: 100, blindPollMs: 100 } });
    const workflow = Buffer.from('{"1":{"class_type":"A","inputs":{}}}');
    const request = { runId: crypto.randomUUID(), workflow, files: [] };
    return { promise: stuck.run(request, new RecordingObserver(), cancel.signal), abort: () => cancel.abort() };
  }
});
