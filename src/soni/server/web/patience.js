// How long to wait before something is tried again.

const FIRST_MS = 500;
const MOST_MS = 30_000;

/** Waits that grow with each failure, differ from page to page, and can be cut short. */
export class Patience {
  #waiting = new Set();

  /** `failures`: how many there were before. */
  wait(problem, failures, signal) {
    const asked = problem.retryAfter * 1000;
    const most = Math.min(FIRST_MS * 2 ** failures, MOST_MS);
    // All pages lose their line at once when a server restarts: they must not come back at once.
    const ms = asked ? asked * (1 + Math.random() / 4) : most * (0.5 + Math.random() / 2);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#waiting.add(end);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
    });
  }

  /** There is a line again, or somebody wants something: no more waiting. */
  wake() {
    for (const end of this.#waiting) end();
  }
}
