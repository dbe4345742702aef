"""What the project offers to pipelines: valid by the public schemas, and run as far as possible."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
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


def check_hooks() -> Any:  # noqa: ANN401  # YAML
    return check_valid(".pre-commit-hooks.yaml", "pre-commit", "validate-manifest")


def test_action() -> None:
    assert check_action()["runs"]["using"] == "composite"


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are for bash")
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
