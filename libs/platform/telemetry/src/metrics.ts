/** A label set, e.g. `{ code: 'not_found' }`; values come from closed lists, never from clients. */
export type Labels = Readonly<Record<string, string>>;

/** What a metric is asked for when it is scraped: a value, or one for each label set. */
export type Reading = () => number | readonly (readonly [labels: Labels, value: number])[];

/** More label sets than this of one metric are counted together as `other`: a registry must not grow with traffic. */
const MAX_SERIES = 200;
const DEFAULT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  lines(): string[];
}

class Series<T> {
  readonly #series = new Map<string, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  at(labels: Labels): T {
    const wanted = text(labels);
    const known = this.#series.get(wanted);
    if (known !== undefined) return known;
    const key = this.#series.size < MAX_SERIES ? wanted : 'series="other"';
    const found = this.#series.get(key) ?? this.#make();
    this.#series.set(key, found);
    return found;
  }

  entries(): IterableIterator<[string, T]> {
    return this.#series.entries();
  }
}

export class Counter implements Metric {
  readonly kind = 'counter';
  readonly #series = new Series(() => ({ value: 0 }));
  readonly #read: Reading | undefined;

  /** With `read`, somebody else counts and is asked when the metrics are scraped. */
  constructor(
    readonly name: string,
    readonly help: string,
    read?: Reading,
  ) {
    this.#read = read;
  }

  add(labels: Labels = {}, by = 1): void {
    this.#series.at(labels).value += by;
  }

  lines(): string[] {
    if (this.#read !== undefined) return readings(this.name, this.#read);
    return [...this.#series.entries()].map(([labels, { value }]) => sample(this.name, labels, value));
  }
}

export class Gauge implements Metric {
  readonly kind = 'gauge';
  readonly #series = new Series(() => ({ value: 0 }));
  readonly #read: Reading | undefined;

  /** With `read`, the value is asked for when the metrics are scraped. */
  constructor(
    readonly name: string,
    readonly help: string,
    read?: Reading,
  ) {
    this.#read = read;
  }

  set(value: number, labels: Labels = {}): void {
    this.#series.at(labels).value = value;
  }

  lines(): string[] {
    if (this.#read !== undefined) return readings(this.name, this.#read);
    return [...this.#series.entries()].map(([labels, { value }]) => sample(this.name, labels, value));
  }
}

/** Observes seconds (or another unit that the metric's name ends with). */
export class Histogram implements Metric {
  readonly kind = 'histogram';
  readonly #series: Series<{ counts: number[]; sum: number; count: number }>;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly buckets: readonly number[] = DEFAULT_BUCKETS,
  ) {
    this.#series = new Series(() => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }));
  }

  observe(value: number, labels: Labels = {}): void {
    const series = this.#series.at(labels);
    series.sum += value;
    series.count += 1;
    const bucket = this.buckets.findIndex((bound) => value <= bound);
    if (bucket >= 0) series.counts[bucket]! += 1;
  }

  lines(): string[] {
    return [...this.#series.entries()].flatMap(([labels, { counts, sum, count }]) => {
      let below = 0;
      const join = labels === '' ? '' : `${labels},`;
      const bounds = this.buckets.map((bound, at) => {
        below += counts[at]!;
        return sample(`${this.name}_bucket`, `${join}le="${bound}"`, below);
      });
      return [
        ...bounds,
        sample(`${this.name}_bucket`, `${join}le="+Inf"`, count),
        sample(`${this.name}_sum`, labels, sum),
        sample(`${this.name}_count`, labels, count),
      ];
    });
  }
}

/** The metrics of this process, in Prometheus text form. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>();

  counter(name: string, help: string, read?: Reading): Counter {
    return this.#keep(name, Counter, () => new Counter(name, help, read));
  }

  gauge(name: string, help: string, read?: Reading): Gauge {
    return this.#keep(name, Gauge, () => new Gauge(name, help, read));
  }

  histogram(name: string, help: string, buckets?: readonly number[]): Histogram {
    return this.#keep(name, Histogram, () => new Histogram(name, help, buckets));
  }

  text(): string {
    const parts = [...this.#metrics.values()].map((metric) =>
      [`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.kind}`, ...metric.lines()].join('\n'),
    );
    return `${parts.join('\n')}\n`;
  }

  #keep<T extends Metric>(name: string, kind: abstract new (...args: never[]) => T, make: () => T): T {
    const known = this.#metrics.get(name);
    if (known instanceof kind) return known;
    if (known !== undefined) throw new Error(`the metric ${name} exists as another kind`);
    const made = make();
    this.#metrics.set(name, made);
    return made;
  }
}

function readings(name: string, read: Reading): string[] {
  const found = read();
  if (typeof found === 'number') return [sample(name, '', found)];
  return found.slice(0, MAX_SERIES).map(([labels, value]) => sample(name, text(labels), value));
}

function sample(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

const UNSAFE = /["\\\n]/g;

/** Every count asks for it, so nothing but the text itself is made. */
function text(labels: Labels): string {
  let joined = '';
  for (const name in labels) {
    joined += `${joined === '' ? '' : ','}${name}="${labels[name]!.replace(UNSAFE, '_')}"`;
  }
  return joined;
}
