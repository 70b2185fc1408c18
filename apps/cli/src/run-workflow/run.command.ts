import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey } from '@heddle/contracts-api-v2';
import type { Catalogue } from '@heddle/workflow-graph';
import type { Command, CommandCall } from '../command-line/command.js';
import { pairs, seconds } from '../command-line/read-arguments.js';
import { EXIT, wrongUsage } from '../failure.js';
import { followToEnd, printOutcome } from '../follow-job/follow-to-end.js';
import { outlineGraph } from '../follow-job/graph-outline.js';
import { plainText } from '../terminal/plain-text.js';
import { downloadOutputs } from './download-outputs.js';
import { assertKnownInputs } from './known-inputs.js';
import { assertOutputFolder } from './output-folder.js';
import { parseGraph, readGraphFile, setInputs } from './graph-file.js';
import { refusedGraph } from './refused-graph.js';
import { assertInputs, plainValues, resolveFiles } from './resolve-inputs.js';
import { SUBMIT_PATIENCE_MS, submitJob } from './submit-job.js';

export const runCommand: Command = {
  name: 'run',
  summary: 'submit a graph, follow it, fetch its outputs',
  words: 'GRAPH.json',
  options: {
    input: {
      value: 'NODE.INPUT=FILE',
      meaning: 'upload FILE and set the input to it; asset:ID uses an existing asset',
      multiple: true,
    },
    set: { value: 'NODE.INPUT=VALUE', meaning: 'set the input to VALUE (JSON or a string)', multiple: true },
    out: { value: 'DIR', meaning: 'download the outputs into DIR; existing files are kept' },
    overwrite: { value: null, meaning: 'replace files of the same name in DIR' },
    key: { value: 'KEY', meaning: 'idempotency key: the same key never starts a second job (a new UUID)' },
    metadata: { value: 'KEY=VALUE', meaning: 'label of the job', multiple: true },
    detach: { value: null, meaning: 'submit, print the job, do not wait' },
    timeout: {
      value: 'SECONDS',
      meaning: 'stop waiting after this time, also for a full queue; an accepted job continues',
    },
  },
  examples: [
    'heddle run graph.json --input 12.image=photo.png --out results',
    'heddle run graph.json --set 3.seed=42 --set 6.text="a red door" --json',
    'heddle run graph.json --detach --key 4bd4e9f8-6f0c-4b3a-9d58-6cbb0a4d2f6b',
  ],
  run: runWorkflow,
};

async function runWorkflow({ words, options, terminal, client: connect }: CommandCall): Promise<number> {
  const [path, ...rest] = words;
  if (path === undefined || rest.length > 0) throw wrongUsage('run takes one graph', 'heddle help run explains it');
  const timeoutMs = seconds(options, 'timeout');
  assertOptions(options);
  const metadata = Object.fromEntries(pairs(options, 'metadata'));
  const file = await readGraphFile(path);
  const folder = options.text('out');
  if (folder !== null) await assertOutputFolder(folder);
  const [inputs, sets] = [pairs(options, 'input'), pairs(options, 'set')];
  await assertInputs(inputs);
  const targets = [...inputs, ...sets].map(([target]) => target);
  for (const warning of await assertKnownInputs(file.graph, targets, builtinCatalogue))
    terminal.sayWrapped(plainText(`heddle: warning: ${warning}`), '        ');
  const values = plainValues(sets, file.graph);
  const client = connect();

  const references = await resolveFiles(inputs, { client, terminal, graph: file.graph });
  const workflow = setInputs(file, [...values, ...references]);
  const idempotencyKey = options.text('key') ?? randomUUID();
  const startedAt = Date.now();
  const submission = { workflow, idempotencyKey, metadata };
  const patienceMs = timeoutMs ?? SUBMIT_PATIENCE_MS;
  const job = await submitJob(client, submission, { terminal, patienceMs }).catch(async (error: unknown) => {
    throw await refusedGraph(error, parseGraph(workflow, path).graph, builtinCatalogue);
  });
  terminal.printJson({ event: 'submitted', job: job.body });
  if (options.on('detach')) {
    if (!terminal.json) terminal.print(job.id);
    return EXIT.done;
  }
  if (terminal.live) terminal.say(`job ${job.id}`);

  const waitedMs = Date.now() - startedAt;
  const ended = await followToEnd(job, { client, terminal, nodes: outlineGraph(file.graph), timeoutMs, waitedMs });
  await downloadOutputs(
    client,
    ended,
    folder === null ? null : { folder, overwrite: options.on('overwrite') },
    terminal,
  );
  return printOutcome(ended, terminal);
}

/** What has no effect, or what the service would refuse after the upload, is refused before anything is sent. */
function assertOptions(options: CommandCall['options']): void {
  const key = options.text('key');
  if (key !== null && !isIdempotencyKey(key))
    throw wrongUsage(`--key "${key}" is not an idempotency key: it must be ${IDEMPOTENCY_KEY_RULE}`);
  if (options.on('overwrite') && options.text('out') === null)
    throw wrongUsage('--overwrite goes with --out DIR', 'without --out no file is written');
  if (options.on('detach') && options.text('out') !== null)
    throw wrongUsage('--out does not go with --detach', 'heddle watch JOB --out DIR fetches the outputs later');
}

/** The service does not publish its engine's classes; the built-in engine uses ComfyUI's class names. */
async function builtinCatalogue(): Promise<Catalogue> {
  const { readCatalogue } = await import('../validate-graphs/read-catalogue.js');
  return readCatalogue(null);
}
