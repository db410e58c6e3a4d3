import { report } from './agent.mjs';

// A bundle in CommonJS has no `await` here.
report(JSON.parse(process.argv[2])).then((found) => console.log(JSON.stringify(found)));
