import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Vendors } from '../call-vendors/vendors.js';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import { TaskPurge } from '../purge-tasks/task-purge.js';
import { TaskSweep } from './task-sweep.js';

const JUMP_MS = 31 * 86_400_000;
/** More than two rounds of the sweep. */
const ROUNDS_MS = 5_000;

describe('a jump of the clock of the database', () => {
  let proxy: TestProxy;
  afterEach(() => proxy.close());

  async function open(clockToleranceMs: number): Promise<void> {
    // Short, so that it is purged often.
    proxy = await TestProxy.open({ retentionMs: 2_000, clockToleranceMs });
    const read = vi.fn().mockResolvedValue({ state: 'processing', errCode: '', creations: [] });
    vi.spyOn(proxy.app.get(Vendors), 'of').mockReturnValue({ read } as never);
    const [sweeps, purges] = [vi.spyOn(proxy.app.get(TaskSweep), 'run'), vi.spyOn(proxy.app.get(TaskPurge), 'run')];
    await vi.waitFor(() => expect([sweeps.mock.calls.length, purges.mock.calls.length]).not.toContain(0), 10_000);
  }

  /** A task whose last step is not long ago, and none of whose times is over within a day. */
  async function task(step: string, state: string): Promise<string> {
    const taskId = randomUUID();
    await proxy.database.owner.query(
      `insert into partner_proxy.task
         (task_id, account_id, vendor, step, state, price, callback_token, vendor_task_id, step_at)
       values ($1, $2, 'video', $3, $4, 0, $5, $6,
         heddle.clock_now() + case when $3 = 'over' then interval '1 day' else interval '0' end)`,
      [taskId, ACCOUNTS['key-ann'], step, state, taskId.replaceAll('-', ''), step === 'calling' ? null : taskId],
    );
    return taskId;
  }
  const stateOf = async (taskId: string): Promise<string> => {
    const { body } = await proxy.readVideo(taskId);
    return body.state === 'failed' ? body.err_code : (body.state ?? 'gone');
  };
  const statesOf = async (tasks: readonly string[]): Promise<string[]> => await Promise.all(tasks.map(stateOf));
  const someTasks = async (): Promise<string[]> => [
    await task('under_way', 'processing'),
    await task('calling', 'created'),
    await task('over', 'success'),
  ];

  it('by 31 days, for several rounds and back, fails and purges nothing', { timeout: 40_000 }, async () => {
    await open(300_000);
    const tasks = await someTasks();
    await proxy.database.advanceClock(JUMP_MS);
    const states: string[][] = [];
    for (const end = performance.now() + ROUNDS_MS; performance.now() < end;) {
      states.push(await statesOf(tasks));
      await new Promise((done) => setTimeout(done, 200));
    }
    await proxy.database.advanceClock(-JUMP_MS);
    states.push(await statesOf(tasks));
    expect(new Set(states.map((each) => each.join()))).toEqual(new Set(['processing,created,success']));
    // The poll of the time ahead does not keep the vendor from being asked.
    await vi.waitFor(async () => {
      const sql = 'select from partner_proxy.task where task_id = $1 and polled_at < heddle.clock_now()';
      expect((await proxy.database.owner.query(sql, [tasks[0]])).rowCount).toBe(1);
    }, 10_000);
  });

  it('is believed where it stays: tasks end', { timeout: 40_000 }, async () => {
    await open(3_000);
    const tasks = await someTasks();
    await proxy.database.advanceClock(JUMP_MS);
    expect(await statesOf(tasks)).toEqual(['processing', 'created', 'success']);
    await vi.waitFor(async () => expect(await statesOf(tasks)).toEqual(['expired', 'interrupted', 'gone']), 20_000);
  });
});
