// What a page can't do without is asked for until it comes: a page that is opened while the server starts still works.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;

/** The JSON at this path. */
export async function loadJson(path) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      const answer = await fetch(path);
      if (answer.ok) return await answer.json();
    } catch {
      // The server doesn't answer, or the answer broke off.
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
