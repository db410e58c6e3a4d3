/** Puts a yes-or-no question for each item to the person at the terminal. Anything but yes is no, and so is leaving. */
import { createInterface } from 'node:readline/promises';

export async function askForEach<T>(items: readonly T[], question: (item: T) => string): Promise<readonly T[]> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<undefined>((resolve) => {
    prompt.once('close', () => resolve(undefined));
    prompt.once('SIGINT', () => prompt.close());
  });
  const accepted: T[] = [];
  try {
    for (const item of items) {
      const answer = await Promise.race([prompt.question(question(item)), gone]);
      if (answer === undefined) return accepted;
      if (/^\s*y(es)?\s*$/i.test(answer)) accepted.push(item);
    }
    return accepted;
  } finally {
    prompt.close();
  }
}
