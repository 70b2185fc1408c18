import { BuildProcess } from '../../upgrade/build-process.ts';
import { editedBuild } from '../../upgrade/builds.ts';
import { NEXT_EVENT_EDITS } from '../../upgrade/next-event.ts';
import { hold } from './fault.ts';
import type { Arena, Fault } from './fault.ts';
import { isBack, SERVICES, some } from './process-faults.ts';

/** A rolled-back update of one process: the next build runs for a while, then this build again. */
export const BUILD_FAULTS: readonly Fault[] = SERVICES.map((service) => ({
  name: `next build of ${service}`,
  family: 'build',
  victim: service,
  strike: async (arena) => await exchange(arena, service),
}));

/** Another replica of jobs holds the floor down, so the next build writes nothing that this build cannot read. */
async function exchange(arena: Arena, service: string): Promise<void> {
  const next = await editedBuild(NEXT_EVENT_EDITS);
  const victim = some(arena, service);
  const { program, env, logFile } = victim.plan;
  await victim.stop();
  const other = new BuildProcess(next, { program, env, logFile });
  try {
    await other.ready();
    await hold(arena, 3_000, 8_000);
  } finally {
    await other.stop();
    await victim.start();
  }
  await isBack(victim);
}
