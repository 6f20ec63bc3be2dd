// A task that is requested more often than it is worth doing.

/**
 * Runs a task on request. While it runs, and for a pause after it began, further requests become one more run:
 * so what is shown is never older than a pause, and the server is never asked faster than that.
 */
export class Latest {
  private running = false;
  private wanted = false;
  private stopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly task: () => Promise<unknown>,
    private readonly pause = 50,
  ) {}

  ask(): void {
    if (this.stopped) return;
    this.wanted = true;
    if (!this.running && this.timer === undefined) void this.run();
  }

  /** Nothing runs any more. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.wanted = false;
    this.running = true;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.again();
    }, this.pause);
    await this.task().catch(() => undefined);
    this.running = false;
    this.again();
  }

  private again(): void {
    if (this.wanted && !this.running && this.timer === undefined && !this.stopped) void this.run();
  }
}
