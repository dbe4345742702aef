/** The Python that makes parts of the package. */

import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
export const LEAST = '3.11';

/** The first Python that is new enough and has pip. */
export function python() {
  const own = process.platform === 'win32' ? '.venv/Scripts/python.exe' : '.venv/bin/python';
  const check = `import pip, sys; sys.exit(sys.version_info < (${LEAST.replace('.', ', ')}))`;
  for (const candidate of [process.env.PYTHON, path.join(root, own), 'python3', 'python']) {
    try {
      if (candidate) {
        execFileSync(candidate, ['-c', check], { stdio: 'ignore' });
        return candidate;
      }
    } catch {
      // the next one
    }
  }
  throw new Error(`no Python ${LEAST} or newer with pip: set PYTHON, or run ./dev lint examples/ once`);
}
