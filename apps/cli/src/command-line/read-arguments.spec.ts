import { describe, expect, it } from 'vitest';
import { CliFailure } from '../failure.js';
import { notANumber, pairs, readArguments, seconds, wholeNumber } from './read-arguments.js';

const command = {
  name: 'run',
  options: {
    input: { value: 'NODE.INPUT=FILE', meaning: '', multiple: true },
    limit: { value: 'N', meaning: '' },
    status: { value: 'A,B', meaning: '' },
    timeout: { value: 'SECONDS', meaning: '' },
    metadata: { value: 'KEY=VALUE', meaning: '', multiple: true },
    detach: { value: null, meaning: '' },
  },
};

const read = (...words: string[]): ReturnType<typeof readArguments> => readArguments(command, words);

describe('the arguments of a command', () => {
  it('come in any order, with values after a blank or an equals sign', () => {
    const { words, options } = read(
      '--detach',
      'graph.json',
      '--limit=5',
      '--input',
      '1.image=a.png',
      '--input=2.image=b=c.png',
    );
    expect(words).toEqual(['graph.json']);
    expect(options.on('detach')).toBe(true);
    expect(options.text('limit')).toBe('5');
    expect(pairs(options, 'input')).toEqual([
      ['1.image', 'a.png'],
      ['2.image', 'b=c.png'],
    ]);
  });

  it('may be negative numbers: no option is named so', () => {
    const { words, options } = read('acme', '-5', '--limit', '-1', '--detach');
    expect([words, options.text('limit'), options.on('detach')]).toEqual([['acme', '-5'], '-1', true]);
    expect(read('-0.5', 'acme', '--', '-7').words).toEqual(['-0.5', 'acme', '-7']);
    expect(() => read('acme', '-5', '--limit')).toThrow('--limit takes a value, and none follows it');
  });

  it('end at a double dash', () => {
    expect(read('--', '--limit').words).toEqual(['--limit']);
  });

  it('are refused where an option of one value is given twice', () => {
    expect(() => read('--limit', '1', '--limit=2')).toThrow('--limit is given twice; it takes one value');
    expect(() => read('--status', 'queued', '--status', 'running')).toThrow(
      '--status is given twice; several values are one list: --status A,B',
    );
    expect(() => read('--limit', '1', '--limit', '2')).toThrow(expect.objectContaining({ exitCode: 2 }) as CliFailure);
    expect(read('--detach', '--detach').options.on('detach')).toBe(true);
  });

  it.each([
    ['an option that the command does not have', ['--inptu', 'x']],
    ['a switch with a value', ['--detach=yes']],
    ['an option without its value', ['--limit']],
  ])('with %s are wrong usage', (_, words) => {
    expect(() => read(...words)).toThrow(expect.objectContaining({ exitCode: 2 }) as CliFailure);
  });

  it.each(['0', '101', '1.5', '-1', 'ten', '', '1e2'])('refuse %j as a number from 1 to 100', (text) => {
    expect(() => wholeNumber(read(`--limit=${text}`).options, 'limit', { min: 1, max: 100 })).toThrow(CliFailure);
  });

  it('take seconds with fractions, as milliseconds', () => {
    expect(seconds(read('--timeout', '1.5').options, 'timeout')).toBe(1500);
    expect(seconds(read().options, 'timeout')).toBe(null);
    expect(() => seconds(read('--timeout', '0').options, 'timeout')).toThrow(CliFailure);
  });

  it('say what a limit may be', () => {
    expect(notANumber('queue-depth', '', true).message).toBe(
      '--queue-depth must be a number from 0, of at most 12 digits, or "default", not an empty text',
    );
    expect(notANumber('slots', '-5', false).message).toBe(
      '--slots must be a number from 0, of at most 12 digits, not "-5"',
    );
  });

  it('refuse a pair without a key, and a key twice', () => {
    expect(() => pairs(read('--metadata', '=x').options, 'metadata')).toThrow('KEY=VALUE');
    expect(() => pairs(read('--metadata', 'a=1', '--metadata', 'a=2').options, 'metadata')).toThrow('twice');
    expect(pairs(read('--metadata', 'a=').options, 'metadata')).toEqual([['a', '']]);
  });
});
