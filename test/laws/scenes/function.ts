import { type HandlerContract, never, VALUES } from '../../support/handler-contract.ts';

export const contract: HandlerContract = {
  scenes: () => ({
    answers: { run: () => ({ decision: 'deny', reason: 'no' }) },
    hangs: { run: never },
    broken: [
      {},
      {
        run: () => {
          throw new Error('no');
        },
      },
      { run: () => Promise.reject(new Error('no')) },
      { run: () => Promise.reject(undefined) },
    ],
  }),
  skip: { floods: VALUES },
};
