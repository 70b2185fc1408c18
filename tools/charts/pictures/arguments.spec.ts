import { describe, expect, it } from 'vitest';
import { DRAW_HELP, DrawUsageError, readDrawCommand } from './arguments.ts';

const GIVEN = ['--prometheus', 'http://localhost:9090', '--minutes', '60', '--out', 'heddle.svg'];

describe('the command line of draw-dashboard', () => {
  it('reads the example of its help', () => {
    const example = /draw-dashboard\.ts (.+)/.exec(DRAW_HELP)![1]!.split(' ');
    expect(example).toEqual(GIVEN);
    expect(readDrawCommand(example)).toEqual({
      prometheus: 'http://localhost:9090',
      minutes: 60,
      out: 'heddle.svg',
      scrapeIntervalS: 15,
    });
    expect(readDrawCommand([...GIVEN, '--scrape-interval', '5'])).toMatchObject({ scrapeIntervalS: 5 });
    expect(readDrawCommand(['--help'])).toBe('help');
  });

  it.each([
    [[], '--prometheus and --minutes and --out must be given'],
    [GIVEN.slice(2), '--prometheus must be given'],
    [['--hours', '3'], '"--hours" is not an option'],
    [[...GIVEN, '--out', 'b.svg'], '--out is given twice'],
    [['--prometheus', '--minutes', '5'], '--prometheus needs a value'],
    [GIVEN.with(1, 'localhost:9090'), '--prometheus: "localhost:9090" is not an address'],
    [GIVEN.with(3, '1.5'), '--minutes: "1.5" is not a whole number from 1 to 10080'],
    [[...GIVEN, '--scrape-interval', '0'], '--scrape-interval: "0" is not a whole number from 1 to 3600'],
  ])('refuses %j', (words, text) => {
    expect(() => readDrawCommand(words)).toThrow(DrawUsageError);
    expect(() => readDrawCommand(words)).toThrow(text);
  });
});
