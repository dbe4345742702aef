import assert from 'node:assert/strict';
import { test } from 'node:test';

import { colour } from '../../src/colours.ts';

/** The words of a text with their classes, those without one left out; checks that none is lost. */
function classes(code: string): string[] {
  const html = colour(code);
  const plain = html.replace(/<[^>]*>/g, '');
  assert.equal(plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'), code);
  return [...html.matchAll(/<span class="ptx-(\w+)">([^<]*)<\/span>/g)].map(
    ([, kind, text]) => `${kind} ${text}`,
  );
}

test('instructions', () => {
  assert.deepEqual(classes('$L: @!%p1 bra.uni $L; // "x"'), [
    'label $L', 'register %p1', 'flow bra', 'modifier .uni', 'comment // &quot;x&quot;',
  ]);
  assert.deepEqual(classes('ld.global.v2.f32 {%f1, _}, [%rd1+16], %tid.x;'), [
    'opcode ld', 'space .global', 'modifier .v2', 'type .f32',
    'register %f1', 'special _', 'register %rd1', 'number 16', 'special %tid', 'register .x',
  ]);
});

test('comments and strings end where they end', () => {
  assert.deepEqual(classes('/* add.u32\n ret */ ret; .pragma "a'), [
    'comment /*', 'comment  add.u32', 'comment  ret ', 'comment */', 'flow ret', 'directive .pragma',
    'string &quot;', 'string a',
  ]);
});

test('directives with their words', () => {
  assert.deepEqual(classes('.version 8.5\n.target sm_90a, debug\n.entry k(.param .u32 x)'), [
    'directive .version', 'number 8.5',
    'directive .target', 'special sm_90a', 'special debug',
    'directive .entry', 'function k', 'space .param', 'type .u32',
  ]);
});

test('the notation of forms, and what is no PTX', () => {
  assert.ok(classes('ld{.weak}{.ss}.type d, [a]{, cache-policy};').includes('opcode ld'));
  assert.deepEqual(classes('<b>&"\u{1F600}'), ['string &quot;', 'string \u{1F600}']);
  assert.deepEqual(classes(''), []);
});
