import { describe, expect, it } from 'vitest';
import { numbered, safeName } from './safe-name.js';

describe('a file name from the service', () => {
  it.each([
    ['photo_00001_.png', 'photo_00001_.png'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/absolute.png', 'absolute.png'],
    ['.bashrc', 'bashrc'],
    ['..', 'node-9'],
    ['', 'node-9'],
    ['a\u0000b\u001b[2Jc.png', 'abc.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['con', 'node-9-con'],
    ['NUL.txt', 'node-9-NUL.txt'],
    ['what?<is>:"this|*.png', 'what__is___this__.png'],
    ['e\u0301t\u00e9.png', '\u00e9t\u00e9.png'],
    ['trailing. ', 'trailing'],
  ])('%j becomes %j', (suggested, safe) => {
    expect(safeName(suggested, 'node-9')).toBe(safe);
  });

  it('is cut to a length that every file system takes, its ending kept', () => {
    const name = safeName(`${'ü'.repeat(400)}.png`, 'x');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name).toMatch(/ü\.png$/);
  });

  it('gets a number before its ending where it is taken', () => {
    expect(['a.png', 'a', '.x'].map((name) => numbered(name, 2))).toEqual(['a-2.png', 'a-2', '.x-2']);
    expect(numbered('a.png', 1)).toBe('a.png');
  });
});
