from ptx_ls.source import Position, Range


def test_positions_are_in_reading_order() -> None:
    positions = [Position(1, 0), Position(0, 7), Position(0, 2)]
    assert sorted(positions) == [Position(0, 2), Position(0, 7), Position(1, 0)]


def test_ranges_are_in_the_order_of_their_starts() -> None:
    wide, narrow = Range.on_line(0, 1, 9), Range.on_line(0, 1, 3)
    later = Range(Position(0, 2), Position(5, 0))
    assert sorted([later, wide, narrow]) == [narrow, wide, later]
