/** The legend of a series as Grafana writes it: `{{status}}` is the value of that label, and empty without one. */
export function legendOf(template: string, labels: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*(.+?)\s*\}\}/g, (_, label: string) => labels[label] ?? '').trim();
}

/** Equal legends get a number, so that no two series become one line. */
export function distinctLegends(legends: readonly string[]): string[] {
  return legends.map((legend, at) => {
    const before = legends.slice(0, at).filter((one) => one === legend).length;
    return before === 0 ? legend : `${legend} ${before + 1}`;
  });
}
