"""Files for CI pipelines: valid by the public schemas, and run as far as possible."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
CORRECT = """\
.version 8.5
.target sm_90
.address_size 64

.entry k()
{
    ret;
}
"""
WRONG = ".version 8.5\n.target sm_90\n.address_size 64\n.entry k() { rat; }\n"


def check_valid(path: str, *validator: str) -> Any:  # noqa: ANN401  # YAML
    """Checks a YAML file of the project with another tool; returns what it says."""
    command = [str(Path(sys.executable).with_name(validator[0])), *validator[1:], str(ROOT / path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def check_action() -> Any:  # noqa: ANN401  # YAML
    schema = "vendor.github-actions"
    return check_valid("action.yml", "check-jsonschema", "--builtin-schema", schema)


def check_runs(folder: Path, *workflows: Path) -> None:
    """Checks workflows, and the actions in a folder that they use, with actionlint."""
    actionlint = Path(sys.executable).with_name("actionlint")
    command = [str(actionlint), "-shellcheck=", "-pyflakes=", *map(str, workflows)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def check_hooks() -> Any:  # noqa: ANN401  # YAML
    return check_valid(".pre-commit-hooks.yaml", "pre-commit", "validate-manifest")


def test_action() -> None:
    assert check_action()["runs"]["using"] == "composite"


def check_workflow(path: Path) -> Any:  # noqa: ANN401  # YAML
    return check_valid(str(path), "check-jsonschema", "--builtin-schema", "vendor.github-workflows")


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are for bash")


@needs_bash
def test_steps_of_the_action(tmp_path: Path) -> None:
    action = check_action()
    (tmp_path / "a b.ptx").write_text(WRONG)
    (tmp_path / "c.ptx").write_text(WRONG)
    (step,) = (it for it in action["runs"]["steps"] if "ptx-ls lint" in it.get("run", ""))
    inputs = {name: each["default"] for name, each in action["inputs"].items()}
    environment = {
        name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, value in step["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(shutil.which("bash")), "-e", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert [line.split(",")[1] for line in done.stdout.splitlines()] == [
        "file=a b.ptx",
        "file=c.ptx",
    ]
    report = json.loads((tmp_path / "ptx-ls.sarif").read_text("utf-8"))
    assert len(report["runs"][0]["results"]) == 2


needs_actionlint = pytest.mark.skipif(
    sys.platform != "linux", reason="actionlint is installed on Linux only"
)


@needs_actionlint
def test_use_of_the_action(tmp_path: Path) -> None:
    inputs = "".join(f"          {name}: x\n" for name in check_action()["inputs"])
    steps = f"      - uses: ./\n        id: ptx\n        with:\n{inputs}"
    steps += "      - run: echo '${{ steps.ptx.outputs.sarif }}'\n"
    workflow = tmp_path / ".github" / "workflows" / "ptx.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n{steps}")
    (tmp_path / ".git").mkdir()
    shutil.copy(ROOT / "action.yml", tmp_path)
    check_runs(tmp_path, workflow)
    workflow.write_text(workflow.read_text().replace("          sarif:", "          nosuch:"))
    with pytest.raises(AssertionError, match='input "nosuch" is not defined'):
        check_runs(tmp_path, workflow)


def test_hooks() -> None:
    hooks = check_hooks()
    assert [it["id"] for it in hooks] == ["ptx-ls-lint", "ptx-ls-format"]


def test_entries_of_the_hooks(tmp_path: Path) -> None:
    for hook in check_hooks():
        (tmp_path / "a.ptx").write_text(WRONG)
        arguments = hook["entry"].split()[1:]
        command = [sys.executable, "-m", "ptx_ls", *arguments, "a.ptx"]
        status = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode
        assert status == (1 if "lint" in arguments else 0)


def in_bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script with the ptx-ls of this environment, and a pip that only takes its name."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name in ("pip", "pipx"):
        program = programs / name
        program.write_text('#!/bin/sh\ntest "$*" = "install ptx-ls"\n')
        program.chmod(0o755)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [str(shutil.which("bash")), "-e", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def examples(page: str, language: str) -> list[str]:
    """The blocks of code of a page."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def check_example(script: str, folder: Path) -> None:
    """An example passes for correct PTX, and fails for a mistake."""
    kernels = folder / "kernels"
    kernels.mkdir()
    (kernels / "a.ptx").write_text(CORRECT)
    done = in_bash(script, folder)
    assert done.returncode == 0, done.stderr
    (kernels / "a.ptx").write_text(CORRECT.replace("ret", "rat"))
    done = in_bash(script, folder)
    assert done.returncode == 1, done.stderr
    assert "`rat`" in done.stdout


def github_examples() -> list[str]:
    both = [*examples("README.md", "yaml"), *examples("docs/ci.md", "yaml")]
    return [text for text in both if text.startswith("name:")]


@pytest.mark.parametrize("text", github_examples(), ids=lambda text: text[-30:].split()[-1])
def test_examples_for_github(text: str, tmp_path: Path) -> None:
    path = tmp_path / "ptx.yml"
    path.write_text(text)
    steps = check_workflow(path)["jobs"]["ptx"]["steps"]
    used = [step["uses"] for step in steps if "ptx-ls" in step.get("uses", "")]
    assert used or any("ptx-ls lint" in step["run"] for step in steps if "run" in step)
    inputs = check_action()["inputs"]
    assert all(set(step.get("with", ())) <= set(inputs) for step in steps)


@needs_bash
@pytest.mark.parametrize("number", [0, 1])
def test_steps_of_the_examples_for_github(number: int, tmp_path: Path) -> None:
    texts = [text for text in github_examples() if "run: pipx" in text]
    steps = yaml.safe_load(texts[number])["jobs"]["ptx"]["steps"]
    check_example("\n".join(step["run"] for step in steps if "run" in step), tmp_path)


@needs_bash
def test_example_for_gitlab(tmp_path: Path) -> None:
    (text,) = (text for text in examples("docs/ci.md", "yaml") if "gitlab" in text)
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(text)
    job = check_valid(str(path), "check-jsonschema", "--builtin-schema", "vendor.gitlab-ci")["ptx"]
    report = job["artifacts"]["reports"]["codequality"]
    done = in_bash("\n".join(job["script"]), tmp_path)
    assert done.returncode == 2  # there are no kernels yet
    check_example("\n".join(job["script"]) + f"\ncat {report}", tmp_path)


def test_example_for_pre_commit(tmp_path: Path) -> None:
    (text,) = (text for text in examples("docs/ci.md", "yaml") if "hooks:" in text)
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(text)
    (repository,) = check_valid(str(path), "pre-commit", "validate-config")["repos"]
    offered = {it["id"] for it in check_hooks()}
    assert {it["id"] for it in repository["hooks"]} == offered


@needs_bash
def test_example_for_other_services(tmp_path: Path) -> None:
    (script,) = (text for text in examples("docs/ci.md", "sh") if "junit" in text)
    check_example(script, tmp_path)
    assert (tmp_path / "findings.xml").exists()


@needs_actionlint
@pytest.mark.parametrize("text", github_examples(), ids=lambda text: text[-30:].split()[-1])
def test_examples_for_github_with_actionlint(text: str, tmp_path: Path) -> None:
    (tmp_path / "ptx.yml").write_text(text)
    check_runs(tmp_path, tmp_path / "ptx.yml")


@needs_actionlint
@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows_with_actionlint(name: str) -> None:
    check_runs(ROOT, ROOT / ".github" / "workflows" / name)


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows(name: str) -> None:
    path = ROOT / ".github" / "workflows" / name
    assert check_workflow(path)["permissions"] == {"contents": "read"}


def test_the_workflow_installs_what_the_tests_need() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    lists = re.findall(r"^# apt-get install --no-install-recommends (.*)$", told, re.MULTILINE)
    steps = check_workflow(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["all"]["steps"]
    (run,) = (step["run"] for step in steps if "apt-get install" in step.get("run", ""))
    assert lists
    assert set(" ".join(lists).split()) <= set(run.split())


@pytest.mark.skipif(sys.platform != "linux", reason="hadolint is installed on Linux only")
def test_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_docker_gets_what_the_build_needs() -> None:
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    sources = [path for path in wheel["shared-data"] if not path.startswith("ptx_ls/")]
    needed = ["README.md", "LICENSE", "pyproject.toml", "hatch_build.py", "ptx_ls", *sources]
    assert {f"!{name}" for name in needed} == {line for line in kept if line.startswith("!")}
