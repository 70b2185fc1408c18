import type { Edit } from './builds.ts';

/** Event that the next build writes with each output, once every live replica can read it */
export const NEXT_EVENT = 'JobNoted';

const COMMIT_OUTPUT = `export function commitOutput(
  state: JobState,
  report: LeaseReport,
  output: RecordedOutput,
  maxOutputs: number,
): JobDecision {
`;

/** Edits that add an event type: shape, reader, fold, message, and a writer that waits for the floor */
export const NEXT_EVENT_EDITS: readonly Edit[] = [
  {
    path: 'libs/jobs/domain/src/job.events.ts',
    anchor: '  | JobPurged;',
    text: `  | JobPurged\n  | { readonly type: '${NEXT_EVENT}'; readonly data: { readonly note: string } };`,
  },
  {
    path: 'libs/jobs/domain/src/job.codec.ts',
    anchor: '  JobPurged: record({}),',
    text: `  JobPurged: record({}),\n  ${NEXT_EVENT}: record({ note: text }),`,
  },
  {
    path: 'libs/jobs/domain/src/job.codec.ts',
    anchor: '  JobPurged: [1],',
    text: `  JobPurged: [1],\n  ${NEXT_EVENT}: [4],`,
  },
  {
    path: 'libs/jobs/domain/src/event-meanings.ts',
    anchor: '  JobPurged: {\n',
    text: `  ${NEXT_EVENT}: { meaning: 'The job noted an output.', fields: { note: 'key of the output' } },\n  JobPurged: {\n`,
  },
  {
    path: 'libs/jobs/domain/src/evolve.ts',
    anchor: "    case 'LogCaptured':\n",
    text: `    case 'LogCaptured':\n    case '${NEXT_EVENT}':\n`,
  },
  {
    path: 'libs/jobs/domain/src/message-parts.ts',
    anchor: "    case 'JobPurged':\n",
    text: `    case 'JobPurged':\n    case '${NEXT_EVENT}':\n`,
  },
  {
    path: 'libs/jobs/domain/src/status-after.ts',
    anchor: '  JobPurged: null,\n',
    text: `  JobPurged: null,\n  ${NEXT_EVENT}: null,\n`,
  },
  {
    path: 'apps/cli/src/show-history/render-history.ts',
    anchor: "    case 'JobPurged':\n",
    text: `    case 'JobPurged':\n    case '${NEXT_EVENT}':\n`,
  },
  {
    // Exposes the floor to the domain; a production build would pass it to the decision.
    path: 'libs/jobs/src/notify-peers/log-format.ts',
    anchor: '  #floor = 1;\n',
    text: `  get #floor(): number {
    return (Reflect.get(globalThis, 'heddleLogFormat') as number | undefined) ?? 1;
  }
  set #floor(floor: number) {
    Reflect.set(globalThis, 'heddleLogFormat', floor);
  }
`,
  },
  {
    path: 'libs/jobs/domain/src/job.ts',
    anchor: COMMIT_OUTPUT,
    text: `${COMMIT_OUTPUT}  const decision = outputOnly(state, report, output, maxOutputs);
  const mayNote = Number(Reflect.get(globalThis, 'heddleLogFormat') ?? 1) >= 4;
  if (!mayNote || !decision.ok || decision.events[0]?.type !== 'OutputCommitted') return decision;
  return { ok: true, events: [...decision.events, { type: '${NEXT_EVENT}', data: { note: output.key } }] };
}

function outputOnly(state: JobState, report: LeaseReport, output: RecordedOutput, maxOutputs: number): JobDecision {
`,
  },
];
