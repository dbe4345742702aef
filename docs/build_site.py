"""`python -m docs.build_site` makes the web site from README.md and docs/ with Zensical.

The pages are copied first: links to files that are not pages lead to the repository, and the
navigation is made from the titles of the pages, the groups of the rules and the categories of the
instructions.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import normpath, relpath
from typing import Final

from docs.folders import DOCS, ROOT
from ptx_ls.handbook.index import index
from ptx_ls.handbook.markdown import slug
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.source.site import SITE

OUTPUT: Final = ROOT / "build" / "site"
_LOOK: Final = DOCS / "site"
_ICON: Final = ROOT / "vscode-extension" / "media" / "icon.png"
_PAGES_ELSEWHERE: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages outside of docs/, and where they are on the site."""
_SECTIONS: Final = {
    "Guide": "editors configuration targets suppression baseline fixes format reports ci cli diff",
    "API": "api mcp isa-json",
    "Compared": "linters features side-by-side accuracy performance growth",
    "Development": "contributing architecture releasing isa-format certification facts commands",
}
"""The pages of each section, in order; pages that are not named are at the end of the guide."""
_LINK: Final = re.compile(r"(!?\[[^\]]*\])\((?!https?:|#|<)([^)#\s]*)(#[^)\s]*)?\)")
_FENCE: Final = re.compile(r"^ *(```+)")
_NESTED: Final = re.compile(r"^ {2,}(?=(?:[-*]|\d+\.) )")
_NOTE: Final = re.compile(r"\A<!-- Written by .*? -->\n+", re.DOTALL)
_TITLE: Final = re.compile(r"^# (.*)$", re.MULTILINE)
_CODE: Final = re.compile(r"(`+[^`]+`+)")

Navigation = list[dict[str, "str | Navigation"]]


def main() -> int:
    """Runs the command; returns the exit status of Zensical."""
    parser = argparse.ArgumentParser(prog="./dev site", description="Makes the web site.")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: build/site")
    options = parser.parse_args()
    output: Path = options.output.absolute()
    if not may_replace(output):
        parser.error(f"{options.output} exists and is not a site, so it is not replaced")
    status = build(output)
    if status == 0:
        print(f"{output / 'index.html'}")
    return status


def may_replace(output: Path) -> bool:
    """Returns whether a folder is missing, empty, or a site."""
    if not output.exists():
        return True
    is_site = all((output / name).is_file() for name in ("index.html", "search.json"))
    return output.is_dir() and (is_site or not any(output.iterdir()))


def build(output: Path) -> int:
    """Makes the site in a folder, which is replaced; returns 1 if a page has a warning."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="site-", dir=output.parent) as work:
        configuration = Path(work, "zensical.toml")
        configuration.write_text(_configuration(copy(Path(work, "pages"))), "utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
        status = subprocess.call([*command, "--config-file", str(configuration)], cwd=work)
        if status == 0:
            shutil.rmtree(output, ignore_errors=True)
            Path(work, "html").rename(output)
    return status


def copy(folder: Path) -> dict[str, str]:
    """Copies all pages, and what they show, to a folder; returns their titles by their paths."""
    places = {path: path.removeprefix("docs/") for path in _sources()} | _PAGES_ELSEWHERE
    titles = {}
    for path, place in places.items():
        text = _NOTE.sub("", (ROOT / path).read_text("utf-8"))
        title = _TITLE.search(text)
        titles[place] = title[1].replace("`", "") if title else place
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(as_page(text, path, places), "utf-8")
        for shown in _files_shown(text, path):
            (folder / shown).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / shown, folder / shown)
    shutil.copytree(_LOOK, folder / "site", ignore=shutil.ignore_patterns("*.toml"))
    shutil.copyfile(_ICON, folder / "site" / _ICON.name)
    for schema in DOCS.glob("*.schema.json"):
        shutil.copyfile(schema, folder / schema.name)
    return titles


def as_page(text: str, path: str, places: Mapping[str, str]) -> str:
    """Returns a page with links that are right on the site, outside of code.

    Args:
        text: Markdown.
        path: its path in the repository.
        places: the paths of all pages on the site, by their paths in the repository.
    """
    lines: list[str] = []
    anchors: Counter[str] = Counter()
    fence = last = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        if fence or mark:
            lines.append(line)
        else:
            # GitHub's Markdown needs neither an empty line before a list nor four spaces in it.
            if line.startswith("- ") and last and not last.startswith(("- ", " ")):
                lines.append("")
            indented = _NESTED.sub(lambda spaces: "    " * (len(spaces[0]) // 2), line)
            linked = _with_links(indented, path, places)
            if line.startswith("|"):  # code in a table has its bars escaped for GitHub only
                linked = _CODE.sub(lambda code: code[0].replace("\\|", "|"), linked)
            lines.append(_with_anchor(linked, anchors) if line.startswith("#") else linked)
        last = line
    return "\n".join(lines) + "\n"


def _with_anchor(heading: str, anchors: Counter[str]) -> str:
    """Returns a heading with the anchor that GitHub gives it; `anchors` counts those above it."""
    anchor = slug(heading.lstrip("#").strip())
    anchors[anchor] += 1
    repeated = f"-{anchors[anchor] - 1}" if anchors[anchor] > 1 else ""
    return f"{heading} {{ #{anchor}{repeated} }}"


def _with_links(line: str, path: str, places: Mapping[str, str]) -> str:
    if any("](" in code for code in _CODE.findall(line)):
        return line

    def link(found: re.Match[str]) -> str:
        label, target, anchor = found[1], _resolved(found[2], path), found[3] or ""
        if target in places:
            there = relpath(places[target], str(Path(places[path]).parent))
        elif label.startswith("!"):
            there = relpath(target, str(Path(places[path]).parent))
        else:
            there = f"{_repository()}/{target}"
        return f"{label}({there}{anchor})"

    return _LINK.sub(link, line)


def _resolved(link: str, path: str) -> str:
    """Returns the path in the repository that a link of a page names; of a folder, its page."""
    target = normpath(f"{Path(path).parent.as_posix()}/{link}")
    is_folder = (ROOT / target).is_dir() and (ROOT / target / "README.md").exists()
    return f"{target}/README.md" if is_folder else target


def _files_shown(text: str, path: str) -> Iterator[str]:
    for label, target, _ in _LINK.findall(text):
        if label.startswith("!"):
            yield _resolved(target, path)


def _repository() -> str:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return f"{urls['Repository']}/blob/main"


def _sources() -> list[str]:
    folders = ("", "decisions", "isa", "protocols", "rules")
    found = (path for name in folders for path in (DOCS / name).glob("*.md"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def _configuration(titles: dict[str, str]) -> str:
    """Returns the configuration of Zensical, with the address, the folders and the navigation."""
    given = (_LOOK / "zensical.toml").read_text("utf-8")
    added = {
        "site_url": f"{SITE}/",
        "docs_dir": "pages",
        "site_dir": "html",
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in added.items()]
    lines.append(f"nav = {_toml(navigation(titles))}")
    # Not as `repo_url`: a page would ask GitHub for the number of stars.
    link = json.dumps(_repository().removesuffix("/blob/main"))
    social = f'\n[[project.extra.social]]\nicon = "fontawesome/brands/github"\nlink = {link}\n'
    return given.replace("[project]\n", "[project]\n" + "\n".join(lines) + "\n", 1) + social


def navigation(titles: dict[str, str]) -> Navigation:
    """Returns the tree of all pages."""
    sections: dict[str, list[str]] = {
        name: [f"{stem}.md" for stem in stems.split() if f"{stem}.md" in titles]
        for name, stems in _SECTIONS.items()
    }
    named = {"index.md", "changelog.md", *(path for paths in sections.values() for path in paths)}
    sections["Guide"] += sorted(path for path in titles if "/" not in path and path not in named)
    tree: Navigation = [{"Home": "index.md"}]
    tree.append({"Guide": _listed(sections["Guide"], titles)})
    tree.append({"Rules": _grouped("rules", groups_of_rules(), titles)})
    kinds = ("instruction", "chapter")
    categories = {line.name: line.category for line in index() if line.kind in kinds}
    tree.append({"Instruction set": _grouped("isa", categories, titles)})
    protocols = sorted(path for path in titles if path.startswith("protocols/"))
    tree.append({"Protocols": _listed(protocols, titles)})
    tree += [{name: _listed(sections[name], titles)} for name in ("API", "Compared")]
    decisions = sorted(path for path in titles if path.startswith("decisions/"))
    about = _listed([*sections["Development"], "changelog.md"], titles)
    tree.append({"Development": [*about, {"Decisions": _listed(decisions, titles)}]})
    return [each for each in tree if all(each.values())]


def _listed(paths: list[str], titles: dict[str, str]) -> Navigation:
    return [{titles[path]: path} for path in paths]


def _grouped(folder: str, groups: Mapping[str, str], titles: dict[str, str]) -> Navigation:
    """Returns the index page of a folder, pages without a group, and the pages of each group."""
    pages = {path: Path(path).stem for path in sorted(titles) if path.startswith(f"{folder}/")}
    index_page = f"{folder}/README.md"
    rest = [path for path, name in pages.items() if name not in groups and path != index_page]
    tree: Navigation = [{titles[index_page]: index_page}, *_listed(rest, titles)]
    for group in sorted(set(groups.values())):
        members = [path for path, name in pages.items() if groups.get(name) == group]
        tree.append({group.capitalize(): _listed(members, titles)})
    return tree


def _toml(tree: str | Navigation) -> str:
    """Returns a navigation as TOML."""
    if isinstance(tree, str):
        return json.dumps(tree)
    entries = (f"{{ {json.dumps(k)} = {_toml(v)} }}" for each in tree for k, v in each.items())
    return f"[{', '.join(entries)}]"


if __name__ == "__main__":
    sys.exit(main())
