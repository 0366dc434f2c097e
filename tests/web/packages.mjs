// What a test takes from npm: `const Ajv = packages('ajv')`.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const packages = createRequire(join(process.env.SATURN_NODE_MODULES, 'tests.js'));
