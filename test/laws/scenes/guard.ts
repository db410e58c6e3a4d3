import { type HandlerContract, VALUES } from '../../support/handler-contract.ts';

export const contract: HandlerContract = {
  scenes: () => ({
    answers: { handler: { type: 'guard', config: {} } },
    broken: [
      { handler: { type: 'guard', config: { preset: 'careless' } } },
      { handler: { type: 'guard', config: { packs: ['no-such-pack'] } } },
      { handler: { type: 'guard', config: { pack: 'cloud' } } },
    ],
  }),
  skip: { hangs: 'its work is bounded, and it waits for no other process', floods: VALUES },
};
