import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LabelValues } from 'prom-client';

/** A metric as declared in a `metrics.ts`; dashboards, alerts and docs/observability.md use its name. */
export interface MetricDeclaration<Label extends string = string> {
  /** Begins with `heddle_` and ends with its unit (seconds, bytes), or with `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  /** Label values are from closed lists, never from clients. */
  readonly labelNames?: readonly Label[];
  /** Upper bounds of a histogram; default: bounds for request durations in seconds. */
  readonly buckets?: readonly number[];
  /** Label sets before `other`, if operators decide how many there are; default: 200. */
  readonly maxSeries?: number;
}

/** Read at each scrape: a value, or one value for each label set. */
type Reading<Label extends string> = () => Read<Label> | Promise<Read<Label>>;
type Read<Label extends string> =
  number | readonly (readonly [labels: Readonly<Record<Label, string>>, value: number])[];

/** Further label sets of a metric are added up as `other`: a registry must not grow with traffic. */
const MAX_SERIES = 200;
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The metrics of one process. The same declaration always returns the same metric: in standalone two services share it.
 * `metrics()` is the Prometheus text.
 */
export class MetricsRegistry extends Registry {
  counter<Label extends string = never>(declaration: MetricDeclaration<Label>): Counter<Label> {
    return this.#keep(declaration, Counter<Label>, (options) => {
      const made = new Counter<Label>(options);
      return Object.assign(made, { inc: withinLimit<Label>(made.inc.bind(made), declaration) });
    });
  }

  /** With `read`, the value is read at each scrape. */
  gauge<Label extends string = never>(declaration: MetricDeclaration<Label>, read?: Reading<Label>): Gauge<Label> {
    return this.#keep(declaration, Gauge<Label>, (options) => {
      if (read === undefined) return new Gauge<Label>(options);
      return new Gauge<Label>({
        ...options,
        async collect() {
          const found = await read();
          if (typeof found === 'number') return this.set(found);
          this.reset();
          const limit = declaration.maxSeries ?? MAX_SERIES;
          for (const [labels, value] of found.slice(0, limit)) this.set(labels, value);
          for (const [labels, value] of found.slice(limit)) this.inc(otherOf<Label>(labels), value);
        },
      });
    });
  }

  histogram<Label extends string = never>(declaration: MetricDeclaration<Label>): Histogram<Label> {
    return this.#keep(declaration, Histogram<Label>, (options) => {
      const made = new Histogram<Label>({ ...options, buckets: [...(declaration.buckets ?? REQUEST_BUCKETS)] });
      return Object.assign(made, { observe: withinLimit<Label>(made.observe.bind(made), declaration) });
    });
  }

  #keep<Label extends string, T extends Counter<Label> | Gauge<Label> | Histogram<Label>>(
    { name, help, labelNames = [] }: MetricDeclaration<Label>,
    kind: abstract new (...options: never[]) => T,
    make: (options: { name: string; help: string; labelNames: readonly Label[]; registers: [Registry] }) => T,
  ): T {
    const known: unknown = this.getSingleMetric(name);
    if (known === undefined) return make({ name, help, labelNames, registers: [this] });
    if (!(known instanceof kind)) throw new Error(`the metric ${name} exists as another kind`);
    return known;
  }
}

type Count<Label extends string> = (labels: LabelValues<Label>, value: number) => void;

/** Runs for every observation, so it only builds the key of the label set: 0.2 us beside 0.5 us for the observation. */
function withinLimit<Label extends string>(
  count: Count<Label>,
  { labelNames = [], maxSeries = MAX_SERIES }: MetricDeclaration<Label>,
): Count<Label> {
  const [first, ...others] = labelNames;
  // A metric without labels is observed by its value alone.
  if (first === undefined) return count;
  const known = new Set<string | number | undefined>();
  return (labels, value) => {
    let key: string | number | undefined = labels[first];
    for (const name of others) key += `,${labels[name]}`;
    if (known.size < maxSeries) known.add(key);
    count(known.has(key) ? labels : otherOf(labels), value);
  };
}

function otherOf<Label extends string>(labels: LabelValues<Label>): LabelValues<Label> {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])) as LabelValues<Label>;
}
