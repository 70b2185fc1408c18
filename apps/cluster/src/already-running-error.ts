/** Another launcher holds the data folder. */
export class AlreadyRunningError extends Error {
  constructor(dataDir: string, pid: number | undefined) {
    super(
      `a cluster runs in ${dataDir} already (process ${pid ?? 'unknown'}): npm run cluster -- --status shows it, ` +
        '-- --down stops it, -- --data DIR names another folder',
    );
  }
}
