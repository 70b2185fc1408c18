import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { findValueSpans } from '@heddle/workflow-graph';
import { describe, expect, it } from 'vitest';
import type { Generation } from '../generation.js';
import type { PromptVerdict } from '../prompts/prompt-check.js';
import { catalogueCheck } from './catalogue-check.js';

const RECORDED = new URL('../../../../workflow/graph/recorded/', import.meta.url);
const INPUTS = new URL('../../../builtin/recorded/inputs/', import.meta.url);
const unpacked = (name: string): string => gunzipSync(readFileSync(new URL(name, RECORDED))).toString('utf8');

interface EngineVerdict {
  readonly status: number;
  readonly error_type: string | null;
  readonly node_errors: Readonly<
    Record<string, readonly { readonly type: string; readonly input_name: string | null }[]>
  >;
}
interface RecordedCase {
  readonly name: string;
  readonly raw?: string;
  readonly engine: EngineVerdict;
  readonly engine_0_3_64?: EngineVerdict;
  readonly order_dependent?: boolean;
}

const lines = unpacked('validation-cases.jsonl.gz').trim().split('\n');
const known = JSON.parse(readFileSync(new URL('../../recorded/intended-verdicts.json', import.meta.url), 'utf8')) as {
  readonly reasons: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<Generation, Readonly<Record<string, string>>>>;
};

describe.each(['0.33.0', '0.3.64'] as const)('the recorded verdicts of engine %s', (generation) => {
  const check = catalogueCheck({
    generation,
    objectInfo: unpacked(`object_info-${generation}.json.gz`),
    isInputFile: (name) => isThere(name),
  });

  it.each(lines.map((line) => ({ name: (JSON.parse(line) as RecordedCase).name, line })))('$name', ({ name, line }) => {
    const recordedCase = JSON.parse(line) as RecordedCase;
    const engine = (generation === '0.3.64' ? recordedCase.engine_0_3_64 : undefined) ?? recordedCase.engine;
    const ours = shown(check({ text: textOf(line, recordedCase), targets: null }));
    const theirs = { status: engine.status, type: engine.error_type, errors: sorted(engine.node_errors) };
    const hidden = recordedCase.order_dependent === true;
    const compared = hidden ? { ...ours, errors: theirs.errors } : ours;
    const reason = known.cases[generation][name];
    if (reason === undefined) expect(compared).toEqual(theirs);
    else {
      expect(known.reasons).toHaveProperty([reason]);
      expect(compared, 'agrees, and is listed as different').not.toEqual(theirs);
    }
  });
});

function isThere(name: string): boolean {
  try {
    readFileSync(new URL(name, INPUTS));
    return true;
  } catch {
    return false;
  }
}

/** The graph text as sent: parsing would lose number forms. */
function textOf(line: string, { raw }: RecordedCase): Buffer {
  if (raw !== undefined) return Buffer.from(raw);
  const bytes = Buffer.from(line);
  const [span] = findValueSpans(bytes, [['workflow']]);
  return bytes.subarray(span!.start, span!.end);
}

type Shown = { status: number; type: string | null; errors: Record<string, string[]> };

function shown(verdict: PromptVerdict): Shown {
  if (verdict.kind === 'raised') return { status: 500, type: '(text)', errors: {} };
  const nodes = verdict.nodeErrors as Record<
    string,
    { errors: { type: string; extra_info: Record<string, unknown> }[] }
  >;
  const errors = sorted(
    Object.fromEntries(
      Object.entries(nodes).map(([id, node]) => [
        id,
        node.errors.map(({ type, extra_info }) => ({
          type,
          input_name: (extra_info['input_name'] ?? null) as string | null,
        })),
      ]),
    ),
  );
  if (verdict.kind === 'accepted') return { status: 200, type: null, errors };
  return { status: 400, type: verdict.error.type, errors };
}

function sorted(errors: EngineVerdict['node_errors']): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([id, list]) => [
      id,
      list.map(({ type, input_name }) => `${type} ${input_name}`).sort(),
    ]),
  );
}
