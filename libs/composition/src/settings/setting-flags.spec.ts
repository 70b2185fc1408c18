import { describe, expect, it } from 'vitest';
import { flagOf, readSettingFlags, renderSettings } from './setting-flags.js';
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

  it('are refused where there is no such setting, or no value', () => {
    expect(() => readSettingFlags(['--prot', '9000'], settings)).toThrow(
      'unknown setting "--prot"; did you mean --port?',
    );
    expect(() => readSettingFlags(['--port'], settings)).toThrow('needs a value');
    expect(() => readSettingFlags(['stray'], settings)).toThrow('stray');
  });

  it('are all in the help, each with its environment name and its default', () => {
    const help = renderSettings(settings).join('\n');
    for (const setting of settings) {
      expect(help).toContain(`${flagOf(setting)} `);
      expect(help).toContain(`HEDDLE_${setting.name}`);
      expect(help).toContain(`(default: ${setting.defaultText})`);
    }
  });
});
