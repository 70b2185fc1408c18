export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (-?(?:[0-9.]+(?:e[+-]?[0-9]+)?|Inf|N[Aa][Nn]))$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Parses Prometheus text strictly. Throws with the invalid line. */
export function parseExposition(text: string): readonly Family[] {
  const refuse = (why: string, line: string): never => {
    throw new Error(`${why}: ${line}`);
  };
  if (!text.endsWith('\n')) refuse('the text has no end of line at its end', text.slice(-50));
  const families: { name: string; kind: Family['kind']; samples: Sample[] }[] = [];
  const seen = new Set<string>();
  let help: string | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (line.startsWith('#')) {
      const [, word, name = '', rest = ''] = comment ?? refuse('no HELP and no TYPE', line);
      if (word === 'HELP') {
        help = name;
        continue;
      }
      if (help !== name) refuse('a TYPE without its HELP', line);
      if (rest !== 'counter' && rest !== 'gauge' && rest !== 'histogram') refuse('an unknown TYPE', line);
      if (families.some((family) => family.name === name)) refuse('a metric twice', line);
      families.push({ name, kind: rest as Family['kind'], samples: [] });
      continue;
    }
    const sample = readSample(line) ?? refuse('no sample', line);
    const family = families.at(-1) ?? refuse('a sample before any TYPE', line);
    const series = `${sample.name}${JSON.stringify(sample.labels)}`;
    if (seen.has(series)) refuse('a series twice', line);
    seen.add(series);
    const suffix = sample.name.slice(family.name.length);
    const fits = family.kind === 'histogram' ? ['_bucket', '_sum', '_count'].includes(suffix) : suffix === '';
    if (!sample.name.startsWith(family.name) || !fits) refuse(`a sample of another metric than ${family.name}`, line);
    if (family.kind === 'counter' && !(sample.value >= 0)) refuse('a counter below zero', line);
    family.samples.push(sample);
  }
  for (const family of families) if (family.kind === 'histogram') checkBuckets(family);
  return families;
}

function readSample(line: string): Sample | null {
  const [, name, labelText, valueText] = SAMPLE.exec(line) ?? [];
  if (name === undefined || valueText === undefined) return null;
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (labelText !== undefined && LABEL.lastIndex < labelText.length) {
    const at = LABEL.lastIndex;
    const [, label, value] = LABEL.exec(labelText) ?? [];
    if (label === undefined || value === undefined || label in labels || LABEL.lastIndex <= at) return null;
    labels[label] = value;
  }
  return { name, labels, value: Number(valueText.replace('Inf', 'Infinity')) };
}

/** Checks that buckets are cumulative and the last bucket equals the count. */
function checkBuckets({ name, samples }: Family): void {
  const series = new Map<string, { le: number; count: number }[]>();
  for (const { name: of, labels, value } of samples) {
    if (of !== `${name}_bucket`) continue;
    const { le = '', ...rest } = labels;
    const key = JSON.stringify(rest);
    series.set(key, [...(series.get(key) ?? []), { le: Number(le.replace('Inf', 'Infinity')), count: value }]);
  }
  for (const [key, buckets] of series) {
    const isSorted = buckets.every(({ le, count }, at) => {
      const before = buckets[at - 1];
      return before === undefined || (le > before.le && count >= before.count);
    });
    const total = samples.find((one) => one.name === `${name}_count` && JSON.stringify(one.labels) === key)?.value;
    const last = buckets.at(-1);
    if (!isSorted || last?.le !== Infinity || last.count !== total) throw new Error(`the buckets of ${name}${key}`);
  }
}
