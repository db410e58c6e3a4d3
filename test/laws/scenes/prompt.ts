import { type HandlerContract, VALUES } from '../../support/handler-contract.ts';

/** The model of the contract suite never answers the prompt `hang`. */
const asking = (prompt: string) => ({ handler: { type: 'prompt', config: { prompt } } });

export const contract: HandlerContract = {
  scenes: () => ({ answers: asking('judge'), hangs: asking('hang'), broken: [] }),
  skip: { floods: VALUES },
};
