"""The web site: built without a warning, without dead links, and without other servers."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from docs.build_site import as_page, copy, may_replace, navigation
from ptx_ls.lint.rule_names import groups_of_rules, rule_url
from ptx_ls.source.site import SITE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""The attribute by which an element loads something."""
NOT_LOADED = {"canonical", "next", "prev", "alternate"}
PLACES = {"README.md": "index.md", "docs/ci.md": "ci.md", "docs/rules/README.md": "rules/README.md"}


class PageLinks(HTMLParser):
    """The links, the loaded files and the anchors of a page of the site."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        address = found.get(LOADED.get(tag, ""), "")
        if address and found.get("rel") not in NOT_LOADED:
            self.loaded.add(address)
        if tag == "a" and "href" in found:
            self.links.add(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "docs.build_site", "--output", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, PageLinks]:
    """All pages but the one for a wrong address, whose links begin at the root."""
    paths = [path for path in site.rglob("*.html") if path.name != "404.html"]
    return {path: PageLinks(path.read_text("utf-8")) for path in paths}


def check_page(text: str, expected: str, path: str = "docs/ci.md") -> None:
    """Compares a page on the site with a page of the repository."""
    assert as_page(text, path, PLACES) == expected


def test_pages(site: Path, pages: dict[Path, PageLinks]) -> None:
    names = {path.relative_to(site).as_posix() for path in pages}
    rules = {f"rules/{name}/index.html" for name in groups_of_rules()}
    assert rules | {"index.html", "isa/index.html", "isa/ld/index.html", "cli/index.html"} <= names
    for name in groups_of_rules():
        assert (site / rule_url(name).removeprefix(f"{SITE}/") / "index.html").exists()
    assert (site / "ptx-ls.schema.json").exists()


def test_links(site: Path, pages: dict[Path, PageLinks]) -> None:
    dead = []
    for path, page in pages.items():
        here = path.relative_to(site).as_posix()
        for link in page.links | page.loaded:
            address, anchor = urldefrag(urljoin(f"{SITE}/{here}", link))
            if not address.startswith(f"{SITE}/"):
                continue
            target = site / unquote(address.removeprefix(f"{SITE}/"))
            target = target / "index.html" if target.is_dir() else target
            is_dead = not target.exists()
            if target in pages and anchor:
                is_dead = unquote(anchor) not in pages[target].anchors
            if is_dead:
                dead.append(f"{here}: {link}")
    assert dead == []


def test_nothing_comes_from_other_servers(site: Path, pages: dict[Path, PageLinks]) -> None:
    assert {link for page in pages.values() for link in page.loaded if "//" in link} == set()
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert ".ptx-filter" in styles
    assert re.findall(r"@import|url\(['\"]?https?:", styles) == []


def test_the_search_knows_the_instruction_set(site: Path) -> None:
    found = json.dumps(json.loads((site / "search.json").read_text("utf-8")))
    for name in ("tcgen05", "clusterlaunchcontrol", "operand-width", "--output-format"):
        assert name in found


def test_every_page_is_in_the_navigation(tmp_path: Path) -> None:
    titles = copy(tmp_path)
    listed = re.findall(r'"([^"]*\.md)"', json.dumps(navigation(titles)))
    assert sorted(listed) == sorted(titles)


def test_what_may_be_replaced(site: Path, tmp_path: Path) -> None:
    assert may_replace(site)
    assert may_replace(tmp_path)
    assert may_replace(tmp_path / "missing")
    file = tmp_path / "index.html"
    file.write_text("mine")
    assert not may_replace(tmp_path)
    assert not may_replace(file)


def test_links_of_a_page() -> None:
    check_page("[a](rules/README.md#x)\n", "[a](rules/README.md#x)\n")
    check_page("[a](rules)\n", "[a](rules/README.md)\n")
    check_page("[a](../README.md)\n", "[a](index.md)\n")
    check_page("[a](docs/ci.md)\n", "[a](ci.md)\n", "README.md")
    check_page("[a](#x) and [b](https://example.com)\n", "[a](#x) and [b](https://example.com)\n")
    source = "https://github.com/ptx-ls/ptx-ls/blob/main/ptx_ls/cli/main.py"
    check_page("[a](../ptx_ls/cli/main.py)\n", f"[a]({source})\n")


def test_code_stays_as_it_is() -> None:
    for code in (
        "```md\n[a](../README.md)\n# no\ntext\n- no\n```\n",
        "````md\n```\n# no\n```\n````\n",
        "`[a](../README.md)` is a link\n",
    ):
        check_page(code, code)


def test_headings_have_the_anchors_of_github() -> None:
    check_page("# A b\n\n## A `b`\n", "# A b { #a-b }\n\n## A `b` { #a-b-1 }\n")


def test_lists_in_lists() -> None:
    check_page("- a\n  - b\n    - c\n", "- a\n    - b\n        - c\n")
    check_page("1. a\n   - b\n   more\n", "1. a\n    - b\n   more\n")


def test_bars_in_the_code_of_a_table() -> None:
    check_page("| `a\\|b` | c \\| d |\n`a\\|b`\n", "| `a|b` | c \\| d |\n`a\\|b`\n")


def test_a_list_may_follow_a_paragraph() -> None:
    check_page("Text:\n- a\n- b\n  more\n- c\n", "Text:\n\n- a\n- b\n  more\n- c\n")
