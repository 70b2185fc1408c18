import { describe, expect, it } from 'vitest';
import { factLines } from './dead-letters-show.command.js';

describe('the lines of a letter', () => {
  it('separate headers from facts, and obey neither their names nor their values', () => {
    const escape = '\u001b]0;owned\u0007';
    expect(factLines({ [`id${escape}\nreason`]: `x${escape}`, topic: 'forged', absent: null }, 'header ')).toEqual([
      'header id reason: x',
      'header topic: forged',
    ]);
  });
});
