import { describe, expect, it } from 'vitest';
import { flagOf, namedAsGiven, readFlags, readSettingFlags, renderSettings } from './setting-flags.js';
import { SETTINGS } from './settings-table.js';

const settings = Object.values(SETTINGS);

describe('the flags of the service', () => {
  it('have the names of the settings, without the prefix', () => {
    expect(readSettingFlags(['--port', '9000', '--queue-depth-account=5', '--static-token', 'a=b'], settings)).toEqual({
      HEDDLE_PORT: '9000',
      HEDDLE_QUEUE_DEPTH_ACCOUNT: '5',
      HEDDLE_STATIC_TOKEN: 'a=b',
    });
  });

  it('name a file that holds a secret', () => {
    expect(readSettingFlags(['--static-token-file', '/run/token'], settings)).toEqual({
      HEDDLE_STATIC_TOKEN_FILE: '/run/token',
    });
    expect(() => readSettingFlags(['--port-file', '/run/port'], settings)).toThrow('unknown setting "--port-file"');
  });

  it('are refused where there is no such setting, or no value', () => {
    expect(() => readSettingFlags(['--prot', '9000'], settings)).toThrow(
      /^unknown setting "--prot"; did you mean --port\?$/,
    );
    expect(() => readSettingFlags(['--port'], settings)).toThrow('--port needs a value (port)');
    expect(() => readSettingFlags(['--port', '--workers', '2'], settings)).toThrow(/^--port needs a value \(port\)$/);
    expect(() => readSettingFlags(['9000'], settings)).toThrow('unexpected "9000"');
  });

  it('are named as they were given where a value is refused', () => {
    const flags = readFlags(['--workers', 'x'], Object.values(SETTINGS));
    const message = 'HEDDLE_WORKERS must be a whole number, not "x"\nHEDDLE_PORT must be free';
    expect(namedAsGiven(message, flags)).toBe('--workers must be a whole number, not "x"\nHEDDLE_PORT must be free');
  });

  it('are refused all at once', () => {
    expect(readFlags(['--prot', '1', '--workers', '2', '--x=1', '--bogus=1', '--host'], settings)).toEqual({
      env: { HEDDLE_WORKERS: '2' },
      refusals: [
        'unknown setting "--prot"; did you mean --port?',
        'unknown setting "--x"; --help lists every setting',
        'unknown setting "--bogus"; --help lists every setting',
        '--host needs a value',
      ],
    });
  });

  it('may have a value that begins with a dash', () => {
    expect(readSettingFlags(['--workers', '-1', '--data', '-'], settings)).toEqual({
      HEDDLE_WORKERS: '-1',
      HEDDLE_DATA: '-',
    });
  });
});

describe('the help', () => {
  const help = renderSettings(settings).join('\n');

  it('has every setting once, with its environment name and its default, and none that is for tests', () => {
    for (const setting of settings) {
      const times = help.split(`HEDDLE_${setting.name}\n`).length - 1;
      expect([setting.name, times]).toEqual([setting.name, setting.group === 'tests' ? 0 : 1]);
      if (setting.group === 'tests') continue;
      expect(help).toContain(`${flagOf(setting)} `);
      expect(help).toContain(`(default: ${setting.defaultText})`);
    }
    expect(readFlags(['--failpoints', 'x', '--test-nodes', 'true'], settings).refusals).toEqual([]);
  });

  it('begins with what most people set, and lists the rest under headings', () => {
    expect(help.indexOf('--port ')).toBeLessThan(help.indexOf('--data '));
    expect(help.indexOf('--workers ')).toBeLessThan(help.indexOf('the API:'));
    expect(help.indexOf('the API:')).toBeLessThan(help.indexOf('brokers (Kafka):'));
  });
});
