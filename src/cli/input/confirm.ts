/** Asks the person at the terminal a yes-or-no question for each item. Any other answer declines. A person who leaves has not answered. */
import { createInterface } from 'node:readline/promises';

export interface Answers<T> {
  readonly yes: readonly T[];
  readonly no: readonly T[];
}

/** Asks one question. Undefined if the person leaves. */
export async function askLine(question: string): Promise<string | undefined> {
  const prompt = openPrompt();
  try {
    return await prompt.ask(question);
  } finally {
    prompt.close();
  }
}

export async function askForEach<T>(items: readonly T[], question: (item: T) => string): Promise<Answers<T>> {
  const prompt = openPrompt();
  const answers: { yes: T[]; no: T[] } = { yes: [], no: [] };
  try {
    for (const item of items) {
      const answer = await prompt.ask(question(item));
      if (answer === undefined) return answers;
      answers[/^\s*y(es)?\s*$/i.test(answer) ? 'yes' : 'no'].push(item);
    }
    return answers;
  } finally {
    prompt.close();
  }
}

interface Prompt {
  /** Undefined if the person leaves. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

function openPrompt(): Prompt {
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, output });
  const gone = new Promise<undefined>((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.once('SIGINT', () => lines.close());
  });
  return {
    async ask(question) {
      const answer = await Promise.race([lines.question(question), gone]);
      // The cursor is still behind the question.
      if (answer === undefined) output.write('\n');
      return answer;
    },
    close: () => lines.close(),
  };
}
