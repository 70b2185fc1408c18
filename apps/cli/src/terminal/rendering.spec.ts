import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.js';
import { percentText, progressBar } from './progress-bar.js';
import { byteText, counted, durationText } from './quantities.js';
import { renderTable } from './table.js';
import { Terminal } from './terminal.js';
import { fit, textWidth } from './text-width.js';

describe('text from elsewhere', () => {
  it.each([
    ['colours', 'a\u001b[31mb\u001b[0mc', 'abc'],
    ['cursor movement', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['8-bit sequences', 'a\u009b31mb', 'ab'],
    ['a title set by BEL', '\u001b]0;owned\u0007text', 'text'],
    ['a link set by ST', '\u001b]8;;http://x\u001b\\text', 'text'],
    ['a device string', '\u001bP1$r\u001b\\text', 'text'],
    ['an unfinished sequence', 'text\u001b[', 'text'],
    ['a lone escape', 'te\u001b', 'te'],
    ['a bell and a backspace', 'a\u0007b\u0008c', 'abc'],
    ['a carriage return', 'real\rfake', 'real fake'],
    ['turned reading order', 'a\u202eb\u2066c', 'abc'],
    ['invisible characters', 'a\u200bb\ufeffc', 'abc'],
    ['letters of any script', 'Zürich 東京 🎨', 'Zürich 東京 🎨'],
  ])('loses %s', (_, hostile, plain) => {
    expect(plainText(hostile)).toBe(plain);
  });
});

describe('a progress bar', () => {
  it.each([0, 0.01, 0.1, 0.333, 0.5, 0.99, 0.999, 1, -1, 7, Number.NaN])('is as wide as it is told at %f', (value) => {
    expect(textWidth(progressBar(value, 20))).toBe(20);
  });

  it('is empty at 0, half at a half, full at 1 only', () => {
    expect(progressBar(0, 4)).toBe('░░░░');
    expect(progressBar(0.5, 4)).toBe('██░░');
    expect(progressBar(1, 4)).toBe('████');
    expect([0, 0.5, 0.999, 1].map(percentText)).toEqual(['  0 %', ' 50 %', ' 99 %', '100 %']);
  });
});

describe('a width of text', () => {
  it.each(['abc', 'Zürich', '東京タワー', '🎨🎨🎨', 'e\u0301e\u0301'])(
    'of %j is filled up or cut to exactly the columns',
    (text) => {
      for (const columns of [1, 2, 4, 5, 20]) expect(textWidth(fit(text, columns))).toBe(columns);
    },
  );
});

describe('a table', () => {
  const columns = [
    { title: 'NAME', shrinks: true },
    { title: 'SIZE', align: 'right' as const },
  ];

  it('lines its columns up', () => {
    expect(
      renderTable(
        columns,
        [
          ['a', '1 B'],
          ['longer', '20 KiB'],
        ],
        80,
      ),
    ).toEqual(['NAME      SIZE', 'a          1 B', 'longer  20 KiB']);
  });

  it('is no wider than the terminal', () => {
    for (const line of renderTable(columns, [['x'.repeat(100), '20 KiB']], 40))
      expect(textWidth(line)).toBeLessThanOrEqual(40);
  });
});

describe('quantities', () => {
  it('are short', () => {
    expect([0, 1023, 1024, 1536, 1024 ** 2, 5 * 1024 ** 3].map(byteText)).toEqual([
      '0 B',
      '1023 B',
      '1.0 KiB',
      '1.5 KiB',
      '1.0 MiB',
      '5.0 GiB',
    ]);
    expect([0, 999, 1000, 59_949, 59_960, 61_000, 3_600_000, 7_620_000].map(durationText)).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 00 s',
      '1 min 01 s',
      '1 h 00 min',
      '2 h 07 min',
    ]);
    expect([counted(1, 'node'), counted(2, 'node')]).toEqual(['1 node', '2 nodes']);
  });
});

describe('the terminal', () => {
  const made = (tty: boolean, env: Record<string, string> = {}, json = false) => {
    const written = { out: '', err: '' };
    const stream = (name: 'out' | 'err') => ({
      write: (text: string) => (written[name] += text),
      isTTY: tty,
      columns: 60,
    });
    return { terminal: new Terminal({ stdout: stream('out'), stderr: stream('err'), env, json }), written };
  };

  it('has colours and bars on a terminal only', () => {
    expect(made(true).terminal.paint('red', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(made(false).terminal.paint('red', 'x')).toBe('x');
    expect(made(true, { NO_COLOR: '1' }).terminal.paint('red', 'x')).toBe('x');
    expect(made(true, { TERM: 'dumb' }).terminal.live).toBe(false);
    expect(made(true, {}, true).terminal.live).toBe(false);
  });

  it('draws a block over the one before', () => {
    const { terminal, written } = made(true);
    terminal.draw(['one', 'two']);
    terminal.draw(['three']);
    expect(written.err).toBe('\r\u001b[2Kone\n\u001b[2Ktwo\n\u001b[0J\u001b[2A\r\u001b[2Kthree\n\u001b[0J');
  });

  it('keeps JSON lines on standard output and what it says off it', () => {
    const { terminal, written } = made(false, {}, true);
    terminal.printJson({ a: '\u001b[31m' });
    terminal.say('said');
    expect(written).toEqual({ out: '{"a":"\\u001b[31m"}\n', err: 'said\n' });
  });
});
