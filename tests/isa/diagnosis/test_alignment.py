"""Alignments of modifiers with ordered places, against trying everything."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.isa.diagnosis.alignment import Alignment

_PLACES = 4
_SETS = st.integers(0, 2**_PLACES - 1)
_ANY = 2**_PLACES - 1


def fits(takes: list[int], optional: int) -> bool:
    """Whether the modifiers fit some places in order, and no required place stays empty."""
    return any(
        all(places >> place & 1 for places, place in zip(takes, chosen, strict=True))
        and all(place in chosen or optional >> place & 1 for place in range(_PLACES))
        for chosen in combinations(range(_PLACES), len(takes))
    )


def check_alignment(takes: list[int], optional: int) -> None:
    """Compares all that an alignment says with what a search through all places finds."""
    lined = Alignment(takes, optional, _PLACES)
    assert lined.is_complete == fits(takes, optional)
    seated = lined.places(0, len(takes), 0, _PLACES)
    assert (seated is not None) == lined.is_complete
    for member in range(len(takes)):
        before, after = takes[:member], takes[member + 1 :]
        assert lined.is_complete_without(member) == fits([*before, *after], optional)
        assert lined.replacing(member) == [
            place for place in range(_PLACES) if fits([*before, 1 << place, *after], optional)
        ]
    for member in range(len(takes) + 1):
        assert lined.inserting(member) == [
            place
            for place in range(_PLACES)
            if fits([*takes[:member], 1 << place, *takes[member:]], optional)
        ]


@given(st.lists(_SETS, max_size=_PLACES), _SETS)
def test_single_changes_are_all_that_fit(takes: list[int], optional: int) -> None:
    check_alignment(takes, optional)


def test_required_places_are_filled() -> None:
    check_alignment([_ANY], 0b0111)
    check_alignment([0b0001, 0b1000], 0b0110)
