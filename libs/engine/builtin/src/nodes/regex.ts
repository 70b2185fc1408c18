import type { NodeClass } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { fillTemplate, pythonRegex, type RegexFlags } from '../text/python-regex.js';
import type { Inputs } from '../values/inputs.js';

const EXTRACTIONS = ['First Match', 'All Matches', 'First Group', 'All Groups'] as const;

/** A pattern that is wrong matches nothing. */
export const regexMatch: NodeClass = {
  run(inputs) {
    const regex = patternOrNull(inputs);
    return [regex !== null && regex.test(inputs.text('string'))];
  },
};

export const regexExtract: NodeClass = {
  run(inputs) {
    const regex = patternOrNull(inputs);
    if (regex === null) return [''];
    const matches = [...inputs.text('string').matchAll(regex)];
    const index = inputs.int('group_index', 1);
    const mode = inputs.choice('mode', EXTRACTIONS);
    const [first] = matches;
    if (first === undefined) return [''];
    if (mode === 'First Match') return [first[0]];
    // With groups in the pattern the first group stands for the match, as Python's findall has it.
    if (mode === 'All Matches')
      return [matches.map((match) => (match.length > 1 ? (match[1] ?? '') : match[0])).join('\n')];
    if (index >= first.length) return [''];
    if (mode === 'First Group') return [first[index] ?? ''];
    return [matches.map((match) => match[index] ?? '').join('\n')];
  },
};

export const regexReplace: NodeClass = {
  run(inputs) {
    const text = inputs.text('string');
    const template = inputs.text('replace');
    const limit = inputs.int('count', 0);
    let [out, end, done] = ['', 0, 0];
    for (const match of text.matchAll(pythonRegex(inputs.text('regex_pattern'), flagsOf(inputs)))) {
      if (limit > 0 && done >= limit) break;
      out += text.slice(end, match.index) + fillTemplate(template, match);
      end = match.index + match[0].length;
      done += 1;
    }
    return [out + text.slice(end)];
  },
};

function patternOrNull(inputs: Inputs): RegExp | null {
  try {
    return pythonRegex(inputs.text('regex_pattern'), flagsOf(inputs));
  } catch (error) {
    if (error instanceof NodeError && error.type === 'error') return null;
    throw error;
  }
}

function flagsOf(inputs: Inputs): RegexFlags {
  return {
    caseInsensitive: inputs.flag('case_insensitive', true),
    multiline: inputs.flag('multiline', false),
    dotAll: inputs.flag('dotall', false),
  };
}
