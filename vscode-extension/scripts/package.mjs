/**
 * Packs the extension, with the pictures of its page in the page.
 *
 * usage: package.mjs [--out FILE]
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { python } from './python.mjs';

const extension = path.resolve(import.meta.dirname, '..');
const { name, version } = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
const { values: given } = parseArgs({ options: { out: { type: 'string' } } });
const out = path.resolve(given.out ?? path.join(extension, `${name}-${version}.vsix`));
const vsce = path.join(extension, 'node_modules', '@vscode', 'vsce', 'vsce');
const how = ['package', '--no-dependencies', '--skip-license', '--out', out];

execFileSync(process.execPath, [vsce, ...how], { cwd: extension, stdio: 'inherit' });
execFileSync(python(), [path.join(import.meta.dirname, 'inline_pictures.py'), out], { stdio: 'inherit' });
