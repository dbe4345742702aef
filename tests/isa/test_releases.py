import pytest

from ptx_ls.isa.releases import version_of_driver, version_of_toolkit


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ("12.4", (8, 4)),
        ("12.4.1", (8, 4)),
        ("12.6", (8, 5)),  # has no version of its own
        ("12.7", (8, 6)),
        ("13.0", (9, 0)),
        ("1.0", (1, 0)),
    ],
)
def test_toolkits(release: str, version: tuple[int, int]) -> None:
    assert version_of_toolkit(release) == version


@pytest.mark.parametrize(
    ("driver", "version"),
    [("550", (8, 4)), ("550.54.14", (8, 4)), ("554", (8, 4)), ("555.85", (8, 5)), ("190", (1, 5))],
)
def test_drivers(driver: str, version: tuple[int, int]) -> None:
    assert version_of_driver(driver) == version


@pytest.mark.parametrize("text", ["", "12", "0.9", "99.0", "12.x", "v12.4", "-1.0", "12.", "١٢.٤"])
def test_what_is_not_a_known_toolkit(text: str) -> None:
    with pytest.raises(ValueError, match=f"^expected a CUDA release from 1.0 to .*`{text}`$"):
        version_of_toolkit(text)


@pytest.mark.parametrize("text", ["", "189", "99999", "x", "12,4"])
def test_what_is_not_a_known_driver(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a driver from 190 to "):
        version_of_driver(text)
