import { describe, expect, it } from 'vitest';
import { template } from './charts.ts';
import { BY_SCHEMA, BY_SENTENCE, type Refusal } from './refused-values.ts';

const argsOf = ({ set }: Refusal): string[] =>
  set.flatMap((one) => [
    /=[{[]/.test(one) ? '--set-json' : one.includes('annotations') ? '--set-string' : '--set',
    one,
  ]);

const endingOf = (refusal: Refusal): ReturnType<typeof template> => {
  const { chart = 'heddle', values = chart === 'heddle' ? 'managed-values.yaml' : 'builtin-values.yaml' } = refusal;
  return template(chart, values, argsOf(refusal));
};

describe('values that the schema refuses', () => {
  it.for(BY_SCHEMA)('$says, at $path', async (refusal) => {
    const { code, error } = await endingOf(refusal);
    expect(code).toBe(1);
    expect(error).toContain(`at '${refusal.path === '' ? '' : `/${refusal.path.replaceAll('.', '/')}`}'`);
    expect(error).not.toContain('hunter2');
  });
});

describe('values that the templates refuse', () => {
  it.for(BY_SENTENCE)('$says, at $path, with one sentence', async (refusal) => {
    const { code, error } = await endingOf(refusal);
    expect(code).toBe(1);
    const [first = ''] = error.split('\n');
    const sentence = /^Error: execution error at \([^)]*\): (.*)$/.exec(first)?.[1] ?? error;
    expect(sentence.startsWith(`${refusal.path}: `)).toBe(true);
    // What is wrong, and what to do.
    expect(sentence).toMatch(/[;:,] .*[;,] .+|, .+ so .+|: must be .+/);
    expect(sentence).toContain(refusal.advice ?? '');
    expect(error).not.toContain('hunter2');
  });
});
