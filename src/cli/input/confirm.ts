/** Asks the person at the terminal a yes-or-no question for each item. Any other answer declines. A person who leaves has not answered. */
import { createInterface } from 'node:readline/promises';

export interface Answers<T> {
  readonly yes: readonly T[];
  readonly no: readonly T[];
}

/** Asks one question. Undefined if the person leaves. */
export async function askLine(question: string): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<undefined>((resolve) => {
    prompt.once('close', () => resolve(undefined));
    prompt.once('SIGINT', () => prompt.close());
  });
  try {
    return await Promise.race([prompt.question(question), gone]);
  } finally {
    prompt.close();
  }
}

export async function askForEach<T>(items: readonly T[], question: (item: T) => string): Promise<Answers<T>> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<undefined>((resolve) => {
    prompt.once('close', () => resolve(undefined));
    prompt.once('SIGINT', () => prompt.close());
  });
  const answers: { yes: T[]; no: T[] } = { yes: [], no: [] };
  try {
    for (const item of items) {
      const answer = await Promise.race([prompt.question(question(item)), gone]);
      if (answer === undefined) return answers;
      answers[/^\s*y(es)?\s*$/i.test(answer) ? 'yes' : 'no'].push(item);
    }
    return answers;
  } finally {
    prompt.close();
  }
}
