import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CONTROL_FLOW, fileName, pictureDocument, SYNCHRONIZATION } from '../../src/picture-page.ts';
import { first, fitting, scaled, stepped } from '../../src/webview/zoom.ts';

const PICTURE = { name: 'a<b>', first: 1, last: 9, svg: '<svg><style>.x{}</style></svg>' };

test('only what carries the nonce counts, and nothing is loaded from elsewhere', () => {
  const page = pictureDocument(
    CONTROL_FLOW,
    PICTURE,
    'https://host/"picture.js',
    'https://host',
    'abc',
    'old & <b>',
  );
  const rule = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  assert.equal(rule, "default-src 'none'; style-src 'nonce-abc'; script-src 'nonce-abc' https://host;");
  assert.equal(page.match(/<style/g)?.length, page.match(/<style nonce="abc">/g)?.length);
  assert.deepEqual(page.match(/<script[^>]*>/g), [
    '<script nonce="abc" src="https://host/&quot;picture.js">',
  ]);
  assert.match(page, /<title>a&lt;b&gt;<\/title>.*>old &amp; &lt;b&gt;<\/span>/s);
  assert.doesNotMatch(page, /\sstyle=|\son\w+=/);
});

test('a kind of picture has its own second format', () => {
  const page = (kind: typeof CONTROL_FLOW) => pictureDocument(kind, PICTURE, 'a.js', 'https://host', 'abc');
  assert.match(page(CONTROL_FLOW), /id="other" title="Save as Graphviz">/);
  assert.match(page(SYNCHRONIZATION), /id="other" title="Save as Text">/);
});

test('names of files', () => {
  assert.equal(fileName('_Z4k$', 'svg'), '_Z4k$.svg');
  assert.equal(fileName('a/b:c', 'dot'), 'a_b_c.dot');
  assert.equal(fileName('x'.repeat(300), 'svg').length, 64);
  assert.equal(fileName('', 'svg'), 'function.svg');
});

test('what is under the pointer stays there', () => {
  const before = { scale: 0.5, left: 100, top: 40 };
  for (const place of [stepped(before, true, 30, 20), scaled(before, 2, 30, 20)]) {
    assert.ok(Math.abs((place.left + 30) / place.scale - (100 + 30) / 0.5) < 1e-9);
    assert.ok(Math.abs((place.top + 20) / place.scale - (40 + 20) / 0.5) < 1e-9);
  }
  assert.deepEqual(stepped(stepped(before, true, 9, 9), false, 9, 9), before);
});

test('scales have bounds', () => {
  assert.equal(scaled({ scale: 1, left: 0, top: 0 }, 99, 0, 0).scale, 4);
  assert.equal(scaled({ scale: 1, left: 0, top: 0 }, 0, 0, 0).scale, 0.02);
  assert.equal(fitting(100, 100, 500, 500), 1);
  assert.equal(fitting(1000, 100, 500, 500), 0.5);
  assert.equal(first(2000, 500, 500, 500), 0.64);
  assert.equal(first(800, 9000, 600, 500), 0.75);
  assert.equal(first(800, 1000, 800, 700), 0.7);
  assert.equal(first(100, 100, 800, 700), 1);
});
