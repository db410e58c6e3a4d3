import { type HandlerContract, VALUES } from '../../support/handler-contract.ts';

export const contract: HandlerContract = {
  scenes: () => ({ answers: { handler: { type: 'static', config: { reply: { decision: 'deny' } } } }, broken: [] }),
  skip: { hangs: 'its answer is in its configuration', floods: VALUES },
};
