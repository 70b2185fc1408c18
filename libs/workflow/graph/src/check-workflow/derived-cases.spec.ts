import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { readWorkflow } from '../parse-submission/read-workflow.js';
import type { NodeErrors } from './node-problems.js';
import { hasErrors, withUnknownFiles } from './unknown-files.js';
import { validateWorkflow } from './validate-workflow.js';

type Version = '0.33.0' | '0.3.64';
interface DerivedCase {
  readonly name: string;
  readonly version: Version;
  readonly raw: string;
  readonly accepted: boolean;
  /** Node, the engine's name of the problem, input. */
  readonly errors: readonly (readonly [string, string, string])[];
  readonly difference?: string;
}

const recorded = (name: string): Buffer => readFileSync(new URL(`../../recorded/${name}`, import.meta.url));
const catalogueOf = (version: Version): ReturnType<typeof loadCatalogue> =>
  loadCatalogue(gunzipSync(recorded(`object_info-${version}.json.gz`)));
const catalogues = { '0.33.0': catalogueOf('0.33.0'), '0.3.64': catalogueOf('0.3.64') };
const cases = gunzipSync(recorded('derived-cases.jsonl.gz'))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DerivedCase);

const REASONS: Readonly<Record<string, string>> = {
  required_input_missing: 'missing_input',
  bad_linked_input: 'bad_link',
  return_type_mismatch: 'type_mismatch',
  invalid_input_type: 'invalid_value_type',
  value_smaller_than_min: 'value_below_min',
  value_bigger_than_max: 'value_above_max',
  value_not_in_list: 'value_not_in_list',
  custom_validation_failed: 'custom_validation_failed',
};
/** Problems that can cause an exception in the engine's own check. */
const BEHIND_EXCEPTIONS = [
  'link_source_not_found',
  'link_slot_out_of_range',
  'bad_link',
  'invalid_node',
  'validation_exception',
];

function judge({ raw, version }: DerivedCase): { accepted: boolean; errors: NodeErrors } {
  const read = readWorkflow(Buffer.from(raw));
  if (!read.ok) return { accepted: false, errors: {} };
  const report = validateWorkflow(read.workflow, catalogues[version], read);
  const errors = withUnknownFiles(report, () => false);
  return { accepted: report.graphProblem === null && !hasErrors(errors), errors };
}

function unreported({ errors: engine }: DerivedCase, errors: NodeErrors): string[] {
  return engine
    .filter(([node, type, input]) => {
      const found = errors[node] ?? [];
      if (type === 'dependency_cycle') return !found.some(({ reason }) => reason === type);
      const reason = REASONS[type];
      if (reason === undefined) return !found.some((problem) => BEHIND_EXCEPTIONS.includes(problem.reason));
      return !found.some((problem) => problem.reason === reason && problem.field === input);
    })
    .map((error) => error.join(' '));
}

describe('graphs made from the catalogues of two engines', () => {
  it('are many, of both versions, and few fall under an intended difference', () => {
    expect(cases.length).toBeGreaterThan(2_000);
    expect(cases.filter(({ version }) => version === '0.3.64').length).toBeGreaterThan(1_000);
    expect(cases.filter(({ difference }) => difference !== undefined).length).toBeLessThan(cases.length / 10);
  });

  it('are accepted or refused as the engine does, and every (node, field, reason) that it reports is reported', () => {
    const plain = cases.filter(({ difference }) => difference === undefined);
    const wrong = plain.flatMap((made) => {
      const { accepted, errors } = judge(made);
      const missing = unreported(made, errors);
      return accepted === made.accepted && missing.length === 0 ? [] : [{ name: made.name, accepted, missing }];
    });
    expect(wrong).toEqual([]);
  });

  it('are refused where that is the difference, and only there', () => {
    const strict = cases.filter(({ difference }) => difference !== undefined && difference !== 'own_code');
    expect(strict.filter((made) => judge(made).accepted).map(({ name }) => name)).toEqual([]);
  });
});
