import assert from 'node:assert/strict';
import { test } from 'node:test';

import { document, render, withPages } from '../../src/markup.ts';

test('nothing is loaded or run', () => {
  const page = document('a <b>', 'text', 'abc');
  assert.match(page, /default-src 'none'; style-src 'nonce-abc';/);
  assert.match(page, /<title>a &lt;b&gt;<\/title>/);
  assert.doesNotMatch(render('<script>alert(1)</script> <img src=x>'), /<script|<img/);
  assert.doesNotMatch(render('![picture](https://example.com/x.png)'), /<img|src=/);
  assert.doesNotMatch(render('[x](javascript:alert(1)) [y](http://example.com)'), /href/);
});

test('links lead to other pages, to headings and to the Web', () => {
  assert.match(render('[`st`](st.md)'), /href="command:ptx\.showInstructionPage\?%5B%22st%22%5D"/);
  assert.match(render('[x](memory-model.md)'), /command:ptx\.showInstructionPage\?/);
  assert.match(render('[x](%tid.md)'), /showInstructionPage\?%5B%22%25tid%22%5D/);
  assert.match(render('[x](missing-wait.md)', 'ptx.explainRuleByName'), /explainRuleByName\?/);
  assert.match(render('[manual](https://docs.nvidia.com/)'), /href="https:\/\/docs\.nvidia\.com\/"/);
  const page = render('[a](#a-in-b) [b](#a-in-b-1)\n\n## `A`, in B\n\n## A in B\n');
  assert.match(page, /href="#a-in-b".*href="#a-in-b-1".*id="a-in-b".*id="a-in-b-1"/s);
});

test('tables and code', () => {
  assert.match(render('| a |\n| --- |\n| `b` |'), /<td><code>b<\/code><\/td>/);
  assert.match(
    render('```ptx\nld.b32 a, [b];\n```'),
    /<pre><code class="language-ptx"><span class="ptx-opcode">ld<\/span>/,
  );
  assert.match(render('```c\nld = <a>;\n```'), /<code class="language-c">ld = &lt;a&gt;;/);
});

test('links to the site lead to pages of the server', () => {
  assert.equal(
    withPages('[Memory](https://ptx-ls.readthedocs.io/isa/memory-model) · [x](https://a.org/isa/b)'),
    '[Memory](command:ptx.showInstructionPage?%5B%22memory-model%22%5D) · [x](https://a.org/isa/b)',
  );
  assert.match(
    withPages('[Why?](https://ptx-ls.readthedocs.io/rules/missing-wait)'),
    /\(command:ptx\.explainRuleByName\?%5B%22missing-wait%22%5D\)/,
  );
});
