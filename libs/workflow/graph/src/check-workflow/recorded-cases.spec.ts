import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { findValueSpans } from '../json/walk-json.js';
import { readWorkflow } from '../parse-submission/read-workflow.js';
import type { NodeErrors } from './node-problems.js';
import { hasErrors, withUnknownFiles } from './unknown-files.js';
import { validateWorkflow } from './validate-workflow.js';

const recorded = (name: string): Buffer => readFileSync(new URL(`../../recorded/${name}`, import.meta.url));
const recordedText = (name: string): string => gunzipSync(recorded(name)).toString('utf8');

interface EngineError {
  readonly type: string;
  readonly input_name: string | null;
}
interface EngineVerdict {
  readonly status: number;
  readonly node_errors: Readonly<Record<string, readonly EngineError[]>>;
}
interface RecordedCase {
  readonly name: string;
  readonly raw?: string;
  readonly engine: EngineVerdict;
  readonly engine_0_3_64?: EngineVerdict;
  readonly order_dependent?: boolean;
}

const VERSIONS = ['0.33.0', '0.3.64'] as const;
const catalogues = {
  '0.33.0': loadCatalogue(gunzipSync(recorded('object_info-0.33.0.json.gz'))),
  '0.3.64': loadCatalogue(gunzipSync(recorded('object_info-0.3.64.json.gz'))),
};
const lines = recordedText('validation-cases.jsonl.gz').trim().split('\n');
const intended = JSON.parse(recorded('intended-differences.json').toString()) as {
  readonly differences: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, string>>;
};
const listed = JSON.parse(recorded('disagreements.json').toString()) as readonly { name: string; reason: string }[];

/** The engine's names of its refusals; an exception stands for whatever its check failed on. */
const REASONS: Readonly<Record<string, string>> = {
  required_input_missing: 'missing_input',
  bad_linked_input: 'bad_link',
  return_type_mismatch: 'type_mismatch',
  invalid_input_type: 'invalid_value_type',
  value_smaller_than_min: 'value_below_min',
  value_bigger_than_max: 'value_above_max',
  value_not_in_list: 'value_not_in_list',
  custom_validation_failed: 'custom_validation_failed',
  dependency_cycle: 'dependency_cycle',
};

/** The workflow text as sent: parsing would lose number forms. */
function workflowBytes(line: string, recordedCase: RecordedCase): Uint8Array {
  if (recordedCase.raw !== undefined) return Buffer.from(recordedCase.raw);
  const bytes = Buffer.from(line);
  const [span] = findValueSpans(bytes, [['workflow']]);
  return bytes.subarray(span!.start, span!.end);
}

function judge(bytes: Uint8Array, version: (typeof VERSIONS)[number]): { accepted: boolean; errors: NodeErrors } {
  const read = readWorkflow(bytes);
  if (!read.ok) return { accepted: false, errors: {} };
  const report = validateWorkflow(read.workflow, catalogues[version], read);
  const errors = withUnknownFiles(report, () => false);
  return { accepted: report.graphProblem === null && !hasErrors(errors), errors };
}

/** True if the error reported by the engine is among ours. */
function isReported(error: EngineError, errors: NodeErrors[string] | undefined, exact: boolean): boolean {
  const found = errors ?? [];
  const reason = REASONS[error.type];
  if (reason === 'dependency_cycle') return found.some((problem) => problem.reason === reason);
  if (reason !== undefined)
    return found.some((problem) => problem.reason === reason && problem.field === error.input_name);
  if (!exact) return found.length > 0;
  return found.some(
    (problem) =>
      problem.reason === 'link_source_not_found' ||
      problem.reason === 'link_slot_out_of_range' ||
      (problem.reason === 'validation_exception' && problem.field === (error.input_name ?? 'inputs')),
  );
}

function disagreements(line: string): string[] {
  const recordedCase = JSON.parse(line) as RecordedCase;
  const bytes = workflowBytes(line, recordedCase);
  return VERSIONS.flatMap((version) => {
    const engine = (version === '0.3.64' ? recordedCase.engine_0_3_64 : undefined) ?? recordedCase.engine;
    const { accepted, errors } = judge(bytes, version);
    const bad = Object.entries(engine.node_errors);
    const notes: string[] = [];
    if (accepted !== (engine.status === 200 && bad.length === 0)) notes.push(`${version}: accepted ${accepted}`);
    for (const [id, list] of bad) {
      for (const error of list) {
        if (isReported(error, errors[id], recordedCase.order_dependent !== true)) continue;
        notes.push(`${version}: ${id} ${error.input_name} ${error.type} is not reported`);
      }
    }
    return notes;
  });
}

describe('the recorded verdicts of two real engines', () => {
  const excused = new Set([...Object.keys(intended.cases), ...listed.map(({ name }) => name)]);
  const found = new Map(lines.map((line) => [(JSON.parse(line) as RecordedCase).name, disagreements(line)]));

  it('are 535 graphs', () => {
    expect(found.size).toBe(535);
  });

  it('are ours as well: the same acceptance, and every (node, field, reason) that the engine reports', () => {
    const unexpected = [...found].filter(([name, notes]) => notes.length > 0 && !excused.has(name));
    expect(unexpected).toEqual([]);
  });

  it('differ in every case that is listed as different, and each names its reason', () => {
    expect([...excused].filter((name) => found.get(name)?.length === 0)).toEqual([]);
    expect([...excused].filter((name) => !found.has(name))).toEqual([]);
    for (const difference of Object.values(intended.cases)) expect(intended.differences).toHaveProperty([difference]);
    for (const { reason } of listed) expect(reason).not.toBe('');
  });
});
